import { randomBytes } from 'node:crypto';
import { SealedValueError } from '../../../db/vault/cipher.ts';
import { RecordKey } from '../../../db/vault/record-key.ts';
import { openStream, sealStream } from '../../../db/vault/sealed-stream.ts';

const key = new RecordKey(randomBytes(32));
const FRAME = 64 * 1024;
const SEALED_FRAME = FRAME + 33;

async function* pieces(content: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += size) yield content.subarray(at, at + size);
}

async function joined(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const seal = async (content: Buffer, context = 'here', size = 10_000) =>
  await joined(sealStream(key, context, pieces(content, size)));
const open = async (sealed: Buffer, context = 'here', size = 7_777, by = key) =>
  await joined(openStream(by, context, pieces(sealed, size)));

test.each([0, 1, 1_000, FRAME - 1, FRAME, FRAME + 1, 2 * FRAME, 5 * FRAME + 17])(
  '%i bytes open to what they were, whatever the pieces',
  async (length) => {
    const content = randomBytes(length);
    const sealed = await seal(content);
    expect(sealed.length).toBe(length + 33 * Math.max(1, Math.ceil(length / FRAME)));
    expect((await open(sealed)).equals(content)).toBe(true);
    expect((await open(sealed, 'here', 1_000_000)).equals(content)).toBe(true);
  },
);

describe('does not open', () => {
  let sealed: Buffer;
  const frame = (at: number) => sealed.subarray(at * SEALED_FRAME, (at + 1) * SEALED_FRAME);
  beforeAll(async () => {
    sealed = await seal(randomBytes(3 * FRAME + 100));
  });

  const changes: [name: string, change: () => Buffer][] = [
    ['cut inside a frame', () => sealed.subarray(0, 2 * SEALED_FRAME + 500)],
    ['cut between frames', () => sealed.subarray(0, 2 * SEALED_FRAME)],
    ['cut by its last byte', () => sealed.subarray(0, -1)],
    ['nothing at all', () => Buffer.alloc(0)],
    ['with something behind it', () => Buffer.concat([sealed, Buffer.from('x')])],
    ['without its first frame', () => sealed.subarray(SEALED_FRAME)],
    ['with two frames exchanged', () => Buffer.concat([frame(1), frame(0), frame(2), frame(3)])],
    ['with a frame doubled', () => Buffer.concat([frame(0), frame(0), frame(1), frame(2), frame(3)])],
    ['with a frame left out', () => Buffer.concat([frame(0), frame(2), frame(3)])],
    [
      'with one bit changed',
      () => {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(100_000) ^ 1, 100_000);
        return changed;
      },
    ],
  ];
  test.each(changes)('%s', async (_name, change) => {
    await expect(open(change())).rejects.toThrow(SealedValueError);
  });

  test('in another place, or by another key', async () => {
    await expect(open(sealed, 'there')).rejects.toThrow(SealedValueError);
    await expect(open(sealed, 'here', 1_000, new RecordKey(randomBytes(32)))).rejects.toThrow(
      SealedValueError,
    );
  });
});
