import { isMigrated } from '../../../db/migrate.ts';
import { useApi } from '../../use-api.ts';

const { api } = useApi();

test('however many ask, the database is asked once in a second', async () => {
  let statement = '';
  await isMigrated(async (sql) => await api.db.pool.query((statement = sql)));
  const asked = jest.spyOn(api.db.pool, 'query');
  // A loaded machine takes longer than a second for so many requests: here its clock stands still.
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
  const times = () => asked.mock.calls.filter(([sql]) => (sql as unknown) === statement).length;
  const ask = async () => (await api.request('GET', '/health/ready')).status;
  try {
    expect(new Set(await Promise.all(Array.from({ length: 20 }, ask)))).toEqual(new Set([200]));
    const [count, again] = [times(), await ask()];
    expect([count, again, times()]).toEqual([1, 200, 1]);
    clock.mockReturnValue(Date.now() + 1_000);
    expect([await ask(), times()]).toEqual([200, 2]);
  } finally {
    clock.mockRestore();
    asked.mockRestore();
  }
});
