import { useApi } from '../../use-api.ts';

const { api } = useApi();

test('however many ask, the database is asked once in a second', async () => {
  const asked = jest.spyOn(api.db.pool, 'query');
  const answers = await Promise.all(Array.from({ length: 20 }, () => api.request('GET', '/health/ready')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  const count = asked.mock.calls.length;
  await api.request('GET', '/health/ready');
  expect([count, asked.mock.calls.length]).toEqual([1, 1]);
  asked.mockRestore();
});
