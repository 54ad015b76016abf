import { setImmediate } from 'node:timers/promises';
import { collectGarbage, garbageAfterRows } from '../../db/collect-garbage.ts';

test('what nothing refers to is gone after a collection, and no global is left', async () => {
  const reference = new WeakRef({ some: 'object' });
  // An object stays until the turn ends in which its reference was made.
  await setImmediate();
  collectGarbage();
  expect(reference.deref()).toBeUndefined();
  expect(globalThis).not.toHaveProperty('gc');
});

test('there is one collection for each 10,000 rows, however they come', () => {
  let collections = 0;
  const count = garbageAfterRows(() => (collections += 1));
  for (let batch = 0; batch < 199; batch += 1) count(50);
  expect(collections).toBe(0);
  count(50);
  expect(collections).toBe(1);
  count(9_999);
  expect(collections).toBe(1);
  count(1);
  expect(collections).toBe(2);
});
