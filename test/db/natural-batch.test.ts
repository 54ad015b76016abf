import { naturalBatch } from '../../db/natural-batch.ts';

/** Runs that end when the test says so. */
function heldRuns(concurrency = 1, maxSize = 100) {
  const runs: { items: number[]; finish: () => void; fail: (error: Error) => void }[] = [];
  const submit = naturalBatch<number, string>({
    maxSize,
    concurrency,
    run: async (items) =>
      await new Promise<string[]>((resolve, reject) => {
        runs.push({ items, finish: () => resolve(items.map((item) => `result ${item}`)), fail: reject });
      }),
  });
  return { runs, submit };
}

/** Lets everything that is ready to run do so. */
const settled = async () => await new Promise((resolve) => setImmediate(resolve));

test('a lone item runs at once', async () => {
  const { runs, submit } = heldRuns();
  const result = submit(1);
  expect(runs.map(({ items }) => items)).toEqual([[1]]);
  runs[0]?.finish();
  await expect(result).resolves.toBe('result 1');
});

test('items that arrive during a run go together in the next, each with its own result', async () => {
  const { runs, submit } = heldRuns();
  const results = [1, 2, 3, 4].map(async (item) => await submit(item));
  expect(runs.map(({ items }) => items)).toEqual([[1]]);
  runs[0]?.finish();
  await settled();
  expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
  runs[1]?.finish();
  await expect(Promise.all(results)).resolves.toEqual(['result 1', 'result 2', 'result 3', 'result 4']);
});

test('after a pause a lone item runs at once again', async () => {
  const { runs, submit } = heldRuns();
  const first = submit(1);
  runs[0]?.finish();
  await first;
  await settled();
  void submit(2);
  expect(runs.map(({ items }) => items)).toEqual([[1], [2]]);
  runs[1]?.finish();
});

test('no batch is larger than allowed, and nothing waits while a run is free', async () => {
  const { runs, submit } = heldRuns(2, 3);
  const results = [1, 2, 3, 4, 5, 6, 7, 8].map(async (item) => await submit(item));
  expect(runs.map(({ items }) => items)).toEqual([[1], [2]]);
  runs[1]?.finish();
  await settled();
  expect(runs.map(({ items }) => items)).toEqual([[1], [2], [3, 4, 5]]);
  runs[0]?.finish();
  await settled();
  expect(runs.map(({ items }) => items)).toEqual([[1], [2], [3, 4, 5], [6, 7, 8]]);
  runs[2]?.finish();
  runs[3]?.finish();
  await expect(Promise.all(results)).resolves.toHaveLength(8);
});

test('one bad item fails alone: the others of its batch get their results', async () => {
  const attempts: number[][] = [];
  const submit = naturalBatch<number, number>({
    maxSize: 100,
    concurrency: 1,
    run: async (items) => {
      attempts.push(items);
      await settled();
      if (items.includes(3)) throw new Error('3 is not allowed');
      return items.map((item) => item * 10);
    },
  });
  const results = await Promise.allSettled([1, 2, 3, 4].map(async (item) => await submit(item)));
  expect(results).toEqual([
    { status: 'fulfilled', value: 10 },
    { status: 'fulfilled', value: 20 },
    { status: 'rejected', reason: new Error('3 is not allowed') },
    { status: 'fulfilled', value: 40 },
  ]);
  expect(attempts).toEqual([[1], [2, 3, 4], [2, 3], [2], [3], [4]]);
});

test('one bad item among 128 costs the others a few runs, not one each', async () => {
  let runs = 0;
  const submit = naturalBatch<number, number>({
    maxSize: 128,
    concurrency: 1,
    gather: true,
    run: async (items) => {
      runs += 1;
      if (items.includes(77)) throw new Error('77 is not allowed');
      return await Promise.resolve(items);
    },
  });
  const all = Array.from({ length: 128 }, (_, index) => index);
  const results = await Promise.allSettled(all.map(async (item) => await submit(item)));
  expect(results.flatMap(({ status }, item) => (status === 'rejected' ? [item] : []))).toEqual([77]);
  expect(runs).toBe(1 + 2 * Math.log2(128));
});

test('a lone bad item is tried once, and what comes after it still runs', async () => {
  const { runs, submit } = heldRuns();
  const first = submit(1);
  const second = submit(2);
  runs[0]?.fail(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  await settled();
  expect(runs.map(({ items }) => items)).toEqual([[1], [2]]);
  runs[1]?.finish();
  await expect(second).resolves.toBe('result 2');
});

test('a run that throws before it waits fails its item, not the process', async () => {
  const submit = naturalBatch<number, number>({
    maxSize: 100,
    concurrency: 1,
    run: () => {
      throw new Error('at once');
    },
  });
  await expect(submit(1)).rejects.toThrow('at once');
  await expect(submit(2)).rejects.toThrow('at once');
});

test('gathered items of one turn of the event loop go together, and a lone one waits for nobody', async () => {
  const sizes: number[] = [];
  const add = naturalBatch<number, number>({
    maxSize: 3,
    concurrency: 1,
    gather: true,
    run: async (items) => {
      sizes.push(items.length);
      return await Promise.resolve(items);
    },
  });
  expect(await Promise.all([1, 2, 3, 4].map(async (item) => await add(item)))).toEqual([1, 2, 3, 4]);
  expect(await add(5)).toBe(5);
  expect(sizes).toEqual([3, 1, 1]);
});

test.each([
  new Error('Connection terminated unexpectedly'),
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }),
])('a batch that lost its connection may have been stored: it is not run again (%s)', async (lost) => {
  const { runs, submit } = heldRuns();
  const results = [1, 2, 3].map(async (item) => await submit(item).catch((error: unknown) => error));
  runs[0]?.finish();
  await settled();
  runs[1]?.fail(lost);
  expect(await Promise.all(results)).toEqual(['result 1', lost, lost]);
  expect(runs).toHaveLength(2);
});
