import type { RequestListener } from 'node:http';
import { SCAN_LIMITS } from '../../chains/ask-node.ts';
import { evmRpc } from '../../chains/evm-rpc.ts';
import { createReceivers } from '../fakes/receivers.ts';

const receivers = createReceivers();
afterEach(async () => await receivers.end());

/** Most must end for another reason than their deadline, also on a machine that has other work. */
const LIMITS = { ...SCAN_LIMITS, deadlineMs: 60_000, maxBodyBytes: 10_000 };
const HASTY = { ...LIMITS, deadlineMs: 500 };
const answering =
  (status: number, body: unknown): RequestListener =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));

async function call(answer: RequestListener, limits = LIMITS): Promise<unknown> {
  const { url } = await receivers.receiver(answer);
  return await evmRpc(url, limits)('eth_call', [{ to: '0x1' }, 'latest']);
}

test('a call is a POST of JSON-RPC 2.0, and its result comes back as it is', async () => {
  const got: unknown[] = [];
  const result = await call((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push(request.method, request.headers['content-type'], JSON.parse(String(Buffer.concat(chunks))));
      response.end('{"jsonrpc":"2.0","id":1,"result":{"number":"0x1","transactions":[{}]}}');
    });
  });
  const params = [{ to: '0x1' }, 'latest'];
  expect(got).toEqual(['POST', 'application/json', { jsonrpc: '2.0', id: 1, method: 'eth_call', params }]);
  expect(result).toEqual({ number: '0x1', transactions: [{}] });
});

test.each([
  ['null', { result: null }, null],
  ['beside an error that is none', { result: '0x1', error: null }, '0x1'],
])('a result may be %s', async (_what, body, result) => {
  expect(await call(answering(200, body))).toBe(result);
});

test.each([200, 400, 500])(
  'an error of JSON-RPC is one with status %i, too; its text stays out of the message',
  async (status) => {
    const error = { code: 3, message: 'execution reverted: Anna Keller', data: '0x' };
    const refused = call(answering(status, { jsonrpc: '2.0', id: 1, error }));
    await expect(refused).rejects.toMatchObject({
      name: 'RpcError',
      message: 'the node has answered with an error',
      code: 3,
      nodeMessage: error.message,
    });
  },
);

test.each<[what: string, answer: RequestListener, message: string, status: number | null]>([
  ['an error page', answering(502, '<html>Bad gateway</html>'), 'status 502', 502],
  ['a status alone', answering(404, ''), 'status 404', 404],
  ['a page with status 200', answering(200, '<html>'), 'not what was asked for', null],
  ['JSON without a result', answering(200, { jsonrpc: '2.0', id: 1 }), 'not what was asked for', null],
  ['an error in words', answering(200, { error: 'no such method' }), 'not what was asked for', null],
  ['too much', answering(200, { result: 'x'.repeat(10_000) }), 'no usable answer: TOO_LARGE', null],
  ['nothing', () => undefined, 'no usable answer: TIMEOUT', null],
  ['half', (_request, response) => void response.write('{"result":'), 'no usable answer: TIMEOUT', null],
])('a node that answers %s has no answer', async (_what, answer, message, status) => {
  const limits = message.includes('TIMEOUT') ? HASTY : LIMITS;
  await expect(call(answer, limits)).rejects.toMatchObject({ name: 'NoAnswer', message, status });
});

test('a redirect is not followed', async () => {
  const target = await receivers.receiver(answering(200, { result: '0x1' }));
  const moved = call((_request, response) => void response.writeHead(308, { location: target.url }).end());
  await expect(moved).rejects.toMatchObject({ message: 'status 308' });
  expect(target.seen.dials).toBe(0);
});
