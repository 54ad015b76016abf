import { gzipSync } from 'node:zlib';
import { askJson, askNode, firstAnswer, lookUpLimits, SCAN_LIMITS } from '../../chains/ask-node.ts';
import { createReceivers } from '../fakes/receivers.ts';

const receivers = createReceivers();
afterEach(async () => await receivers.end());

const secretly = (url: string) => url.replace('http://', 'http://user:p%40ss@');

test('a user name and a password in the address go by basic authentication, and are not sent without', async () => {
  const got: (string | undefined)[] = [];
  const { url } = await receivers.receiver((request, response) => {
    got.push(request.headers.authorization, request.url);
    response.end('{}');
  });
  await askNode(`${secretly(url)}?key=1`, SCAN_LIMITS);
  await askNode(url, SCAN_LIMITS);
  expect(got).toEqual([`Basic ${btoa('user:p@ss')}`, '/hook?key=1', undefined, '/hook']);
});

test('no trouble tells the address', async () => {
  const url = secretly(`http://127.0.0.1:${await receivers.closedPort()}/key`);
  const trouble: unknown = await askJson(url, SCAN_LIMITS).catch((error: unknown) => error);
  expect(trouble).toMatchObject({ name: 'NoAnswer', message: 'no usable answer: CONNECT_REFUSED' });
  const said = [String(trouble), JSON.stringify(trouble), (trouble as Error).stack].join();
  expect(said).not.toMatch(/p%40ss|p@ss|127\.0\.0\.1/);
});

test('a packed answer is unpacked', async () => {
  const { url } = await receivers.receiver((request, response) => {
    if (!request.headers['accept-encoding']?.includes('gzip')) return void response.end('{}');
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('{"result":1}'));
  });
  expect(await askJson(url, SCAN_LIMITS)).toEqual({ result: 1 });
});

test('the signal of a question ends all of its requests', async () => {
  const { url } = await receivers.receiver(() => undefined);
  const limits = lookUpLimits(AbortSignal.timeout(100));
  const asked = [askJson(url, limits), askJson(url, limits)];
  for (const result of await Promise.allSettled(asked)) {
    expect(result).toMatchObject({ reason: { message: 'no usable answer: ABORTED' } });
  }
  await expect(askJson(url, limits)).rejects.toMatchObject({ message: 'no usable answer: ABORTED' });
});

describe('firstAnswer', () => {
  const ask = async (node: string) =>
    node.startsWith('bad') ? await Promise.reject(new Error(node)) : await Promise.resolve(node);

  test('asks in order, and nobody after the first that answers', async () => {
    const asked: string[] = [];
    const answer = await firstAnswer(['bad 1', 'good 2', 'good 3'], async (node) => {
      asked.push(node);
      return await ask(node);
    });
    expect([answer, asked]).toEqual(['good 2', ['bad 1', 'good 2']]);
  });

  test('throws the last trouble where nobody answers, and says so where there is nobody', async () => {
    await expect(firstAnswer(['bad 1', 'bad 2'], ask)).rejects.toThrow('bad 2');
    await expect(firstAnswer([], ask)).rejects.toThrow('no node is configured');
  });
});
