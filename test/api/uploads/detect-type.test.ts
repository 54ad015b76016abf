import { Worker } from 'node:worker_threads';
import { detectType } from '../../../api/uploads/detect-type.ts';
import { jpeg, png } from '../../factories/evidence.ts';

test('the type is found in the first bytes, of many files at once', async () => {
  const files = [png(), jpeg(), Buffer.from('no picture'), Buffer.alloc(0)];
  const found = await Promise.all(files.map(async (head) => await detectType(head)));
  expect(found).toEqual(['image/png', 'image/jpeg', undefined, undefined]);
});

test('a parser that does not end refuses no file, and the next file is examined', async () => {
  const asks = jest.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(() => undefined);
  await expect(detectType(png(), 50)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  asks.mockRestore();
  expect(await detectType(png())).toBe('image/png');
});
