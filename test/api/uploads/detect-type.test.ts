import { detectType } from '../../../api/uploads/detect-type.ts';
import { jpeg, png } from '../../factories/evidence.ts';

// First: the parser is slowest with its first file.
test('a parser that is too slow refuses no file, and the next file is examined', async () => {
  await expect(detectType(png(), 0)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  expect(await detectType(png())).toBe('image/png');
});

test('the type is found in the first bytes, of many files at once', async () => {
  const found = await Promise.all(
    [png(), jpeg(), Buffer.from('no picture'), Buffer.alloc(0)].map((head) => detectType(head)),
  );
  expect(found).toEqual(['image/png', 'image/jpeg', undefined, undefined]);
});
