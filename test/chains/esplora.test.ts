import { SCAN_LIMITS } from '../../chains/ask-node.ts';
import { esplora } from '../../chains/esplora.ts';
import { createReceivers } from '../fakes/receivers.ts';

const receivers = createReceivers();
afterEach(async () => await receivers.end());

/** An Esplora under /api that answers each path with a status and a text. */
async function answering(answers: Record<string, [status: number, text: string]>) {
  const { port } = await receivers.receiver((request, response) => {
    const [status, text] = answers[request.url ?? ''] ?? [404, 'Not found'];
    response.writeHead(status).end(text);
  });
  return esplora(`http://127.0.0.1:${port}/api/`, SCAN_LIMITS);
}

test('what is not there is undefined to who looks for it, and no answer to who needs it', async () => {
  const source = await answering({ '/api/tx/a': [200, '{"vin":[]}'] });
  expect(String(await source.find('/tx/a'))).toBe('{"vin":[]}');
  expect(await source.getJson('/tx/a')).toEqual({ vin: [] });
  expect(await source.find('/tx/b')).toBeUndefined();
  await expect(source.getJson('/tx/b')).rejects.toMatchObject({ name: 'NoAnswer', status: 404 });
});

test.each<[status: number, text: string, message: string]>([
  [500, '{}', 'status 500'],
  [302, '{}', 'status 302'],
  [200, '<html>', 'no JSON'],
])('status %i with %j is no answer', async (status, text, message) => {
  const source = await answering({ '/api/tx/a': [status, text] });
  await expect(source.getJson('/tx/a')).rejects.toMatchObject({ name: 'NoAnswer', message });
});
