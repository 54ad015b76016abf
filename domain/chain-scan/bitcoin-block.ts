import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes } from '@noble/hashes/utils.js';
import { requireItem, type ScannedBlock, type ChainTransfer } from './block.ts';
import { hashRecipient } from './hash-recipient.ts';
import { NATIVE } from './scan-chain.ts';

const HEADER_BYTES = 80;
const OUTPOINT_BYTES = 36;
const SEQUENCE_BYTES = 4;
const VALUE_BYTES = 8;
const OP_RETURN = 0x6a;

/** Byte offsets of a transaction. Its hash covers version, inputs, outputs and lock time, but no witness. */
interface ByteSpan {
  start: number;
  bodyStart: number;
  bodyEnd: number;
  end: number;
}

/** The position of an output. */
interface BitcoinOutput {
  transaction: number;
  position: number;
  /** Byte offset of its value, which is followed by the script's length and the script. */
  at: number;
}

/**
 * Reads all paying outputs of a raw Bitcoin block. Recipients are output scripts in hex. Written by hand, since parsing
 * complete transactions takes twenty times as long. Throws RangeError if the bytes are not a block.
 */
export function scanBitcoinBlock(raw: Buffer, height: number): ScannedBlock {
  const reader = new Reader(raw, HEADER_BYTES);
  const spans: ByteSpan[] = [];
  const outputs: BitcoinOutput[] = [];
  const recipientHashes: number[] = [];
  const count = reader.varInt();
  for (let transaction = 0; transaction < count; transaction += 1) {
    spans.push(
      readTransaction(reader, (position, at, recipientHash) => {
        outputs.push({ transaction, position, at });
        recipientHashes.push(recipientHash);
      }),
    );
  }
  if (reader.at !== raw.length) throw new RangeError('bytes are left after the last transaction');
  const hashOf = (transaction: number) => transactionHash(raw, spans[transaction]);
  return {
    height,
    ...headerOf(raw),
    recipientHashes,
    transferAt: (index) => transferOf(raw, requireItem(outputs[index])),
    hashOf,
    findTransactions: (searched) => spans.flatMap((_, index) => (searched.has(hashOf(index)) ? [index] : [])),
  };
}

/** The block's hash, parent hash and time. */
function headerOf(raw: Buffer): { hash: string; parentHash: string; time: Date } {
  const header = raw.subarray(0, HEADER_BYTES);
  return {
    hash: shownHash(sha256(sha256(header))),
    parentHash: shownHash(header.subarray(4, 36)),
    time: new Date(header.readUInt32LE(68) * 1_000),
  };
}

type OnOutput = (position: number, at: number, recipientHash: number) => void;

function readTransaction(reader: Reader, report: OnOutput): ByteSpan {
  const start = reader.at;
  reader.skip(4);
  // Every transaction has inputs, so a zero in place of their number marks a transaction with witnesses.
  const hasWitness = reader.peek() === 0;
  if (hasWitness) reader.skip(2);
  const bodyStart = reader.at;
  const inputs = reader.varInt();
  for (let index = 0; index < inputs; index += 1) {
    reader.skip(OUTPOINT_BYTES);
    reader.skip(reader.varInt());
    reader.skip(SEQUENCE_BYTES);
  }
  readOutputs(reader, report);
  const bodyEnd = reader.at;
  if (hasWitness) skipWitnesses(reader, inputs);
  reader.skip(4);
  return { start, bodyStart, bodyEnd, end: reader.at };
}

function readOutputs(reader: Reader, report: OnOutput): void {
  const outputs = reader.varInt();
  for (let position = 0; position < outputs; position += 1) {
    const { at } = reader;
    const isEmpty = reader.isZero(VALUE_BYTES);
    const length = reader.varInt();
    const script = reader.at;
    reader.skip(length);
    const pays = !isEmpty && length > 0 && reader.bytes[script] !== OP_RETURN;
    if (pays) report(position, at, hashRecipient(reader.bytes, script, reader.at));
  }
}

function transferOf(raw: Buffer, { transaction, position, at }: BitcoinOutput): ChainTransfer {
  const reader = new Reader(raw, at + VALUE_BYTES);
  const length = reader.varInt();
  const recipient = raw.toString('hex', reader.at, reader.at + length);
  return {
    transaction,
    position,
    asset: NATIVE,
    sender: null,
    recipient,
    units: raw.readBigUInt64LE(at),
  };
}

function skipWitnesses(reader: Reader, inputs: number): void {
  for (let index = 0; index < inputs; index += 1) {
    const items = reader.varInt();
    for (let item = 0; item < items; item += 1) reader.skip(reader.varInt());
  }
}

function transactionHash(raw: Buffer, span: ByteSpan | undefined): string {
  if (!span) return '';
  const { start, bodyStart, bodyEnd, end } = span;
  const stripped = concatBytes(
    raw.subarray(start, start + 4),
    raw.subarray(bodyStart, bodyEnd),
    raw.subarray(end - 4, end),
  );
  return shownHash(sha256(sha256(stripped)));
}

/** A hash in display form, with its bytes reversed. */
function shownHash(bytes: Uint8Array): string {
  return bytesToHex(Uint8Array.from(bytes).reverse());
}

class Reader {
  readonly bytes: Buffer;
  at: number;

  constructor(bytes: Buffer, at: number) {
    this.bytes = bytes;
    this.at = at;
  }

  skip(count: number): void {
    this.at += count;
    if (this.at > this.bytes.length) throw new RangeError('the bytes end too early');
  }

  peek(): number {
    return this.bytes.readUInt8(this.at);
  }

  /** Reads the next bytes and tells whether all are zero. */
  isZero(count: number): boolean {
    const from = this.at;
    this.skip(count);
    return this.bytes.subarray(from, this.at).every((byte) => byte === 0);
  }

  varInt(): number {
    const first = this.bytes.readUInt8(this.at);
    this.at += 1;
    if (first < 0xfd) return first;
    const size = first === 0xfd ? 2 : 4;
    // No length in a block needs eight bytes.
    if (first === 0xff) throw new RangeError('a length is out of range');
    const value = this.bytes.readUIntLE(this.at, size);
    this.at += size;
    return value;
  }
}
