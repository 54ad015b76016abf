import { loadBundledEntities } from '../../../db/entities/load-bundled.ts';
import { eventually } from '../../eventually.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

const countOf = async (table: string) =>
  Number((await database.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n);

/** What PostgreSQL does with unlogged tables when it recovers from a crash. */
const crash = async () =>
  void (await database.pool.query('truncate entity_import_rows, entity_import_names'));

test('an import whose rows were lost in a crash of the database while the file arrived is 503, and nothing is imported', async () => {
  const before = await countOf('entities');
  const encoder = new TextEncoder();
  const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname,type\n';
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `Crashed ${from + index},bank\n`).join('');
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode(`${part}${lines(0, 20_000)}`));
      await eventually(
        async () => await countOf('entity_import_rows'),
        (count) => count > 0,
      );
      await crash();
      controller.enqueue(encoder.encode(`${lines(20_000, 20_010)}\r\n--x--\r\n`));
      controller.close();
    },
  });
  const answer = await fetch(`${api.url}/operator/entities/import`, {
    method: 'POST',
    headers: { 'X-Operator-Key': api.operatorKey, 'Content-Type': 'multipart/form-data; boundary=x' },
    body,
    duplex: 'half',
  } as RequestInit);
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ code: 'temporarily_unavailable' }),
  ]);
  expect(await countOf('entities')).toBe(before);
});

test('a bundled directory whose rows were lost in a crash of the database is not noted as loaded', async () => {
  await database.pool.query('delete from entity_bundles');
  const connect = api.db.pool.connect.bind(api.db.pool);
  let lent = 0;
  const spied = jest.spyOn(api.db.pool, 'connect').mockImplementation((async (...given: []) => {
    // A statement without a transaction gives a callback. The rows are put aside on the first connection.
    if (given.length === 0 && (lent += 1) === 2) await crash();
    return await connect(...given);
  }) as never);
  await expect(loadBundledEntities(api.db, new Date())).rejects.toMatchObject({
    code: 'temporarily_unavailable',
  });
  spied.mockRestore();
  expect(await countOf('entity_bundles')).toBe(0);
  expect(await loadBundledEntities(api.db, new Date())).not.toBeNull();
  expect(await countOf('entity_bundles')).toBe(1);
});
