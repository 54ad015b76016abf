import { createHash, randomBytes } from 'node:crypto';

/** Builds a raw Bitcoin block whose transactions have one input with a witness and two or three outputs. */
export function rawBlock(
  transactions: number,
  parentHash: string | null,
): { raw: Buffer; hash: string; time: number } {
  const time = Math.floor(Date.now() / 1_000);
  const header = Buffer.alloc(80);
  header.writeInt32LE(0x20000000, 0);
  if (parentHash) header.set(Buffer.from(parentHash, 'hex').reverse(), 4);
  header.set(randomBytes(32), 36);
  header.writeUInt32LE(time, 68);
  const count = Buffer.alloc(3, 0xfd);
  count.writeUInt16LE(transactions, 1);
  const bodies = Array.from({ length: transactions }, (_, index) => rawTransaction(2 + (index % 2)));
  return { raw: Buffer.concat([header, count, ...bodies]), hash: hashOf(header), time };
}

function rawTransaction(outputs: number): Buffer {
  const input = Buffer.concat([
    randomBytes(32),
    Buffer.from('00000000', 'hex'),
    Buffer.from([0]),
    Buffer.alloc(4, 0xff),
  ]);
  return Buffer.concat([
    Buffer.from('020000000001', 'hex'),
    Buffer.from([1]),
    input,
    Buffer.from([outputs]),
    ...Array.from({ length: outputs }, () => output(randomBytes(20))),
    // The witness: a signature and a public key.
    Buffer.from([2, 72]),
    randomBytes(72),
    Buffer.from([33]),
    randomBytes(33),
    Buffer.alloc(4),
  ]);
}

function output(program: Buffer): Buffer {
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(BigInt(1_000 + (program[0] ?? 0)));
  return Buffer.concat([value, Buffer.from('160014', 'hex'), program]);
}

function hashOf(header: Buffer): string {
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  return sha256(sha256(header)).reverse().toString('hex');
}
