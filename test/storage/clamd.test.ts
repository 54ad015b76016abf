import { createServer, type AddressInfo, type Socket } from 'node:net';
import { clamd, isClamdReachable, type ScanVerdict } from '../../storage/clamd.ts';
import { fakeClamd } from '../fakes/clamd.ts';

async function verdictOn(url: string, chunks: Buffer[]): Promise<ScanVerdict> {
  const scan = clamd(url)();
  for (const chunk of chunks) await scan.write(chunk);
  return await scan.end();
}

const EICAR = 'a test virus';

test('the scanner gets exactly the content, whatever its pieces, and its word counts', async () => {
  const seen: Buffer[] = [];
  const fake = await fakeClamd((content) => {
    seen.push(content);
    return content.includes(EICAR) ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
  });
  const large = Buffer.alloc(3_000_000, 'ab');
  expect(await verdictOn(fake.url, [large, Buffer.alloc(0), large.subarray(0, 7)])).toBe('CLEAN');
  expect(seen[0]?.equals(Buffer.concat([large, large.subarray(0, 7)]))).toBe(true);
  expect(await verdictOn(fake.url, [Buffer.from('so '), Buffer.from(EICAR)])).toBe('INFECTED');
  fake.stop();
});

test.each([
  ['a limit', 'INSTREAM size limit exceeded. ERROR'],
  ['an error', 'stream: Access denied. ERROR'],
  ['an unknown word', 'stream: maybe OK'],
  ['a broken connection', undefined],
])('%s is no verdict', async (_name, answer) => {
  const fake = await fakeClamd(() => answer);
  expect(await verdictOn(fake.url, [Buffer.from('x')])).toBe('UNAVAILABLE');
  fake.stop();
});

test('nobody there is no verdict', async () => {
  const fake = await fakeClamd(() => 'stream: OK');
  fake.stop();
  expect(await verdictOn(fake.url, [Buffer.alloc(1_000_000), Buffer.from('x')])).toBe('UNAVAILABLE');
});

test('whether a scanner is there is asked with a limit', async () => {
  const fake = await fakeClamd(() => 'PONG');
  expect(await isClamdReachable(fake.url, 1_000)).toBe(true);
  fake.stop();
  expect(await isClamdReachable(fake.url, 1_000)).toBe(false);
  const sockets: Socket[] = [];
  const silent = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const begun = Date.now();
  expect(await isClamdReachable(`tcp://127.0.0.1:${(silent.address() as AddressInfo).port}`, 50)).toBe(false);
  expect(Date.now() - begun).toBeLessThan(20_000);
  for (const socket of sockets) socket.destroy();
  silent.close();
});
