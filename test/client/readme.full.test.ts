import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Waybill } from '@waybill/client';
import { ensureTestVasps } from '../../db/tenants/ensure-test-vasps.ts';
import { lastingPort } from '../lasting-port.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { runExample, type ExampleProcess } from '../examples/example-process.ts';
import { createTenant } from '../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

/** Inside the project, so that the package is found; as JavaScript, since the pieces have no types of their own. */
const FOLDER = join(projectRoot, 'dist', 'test', 'client', 'readme');
let system: TestSystem;
let program: ExampleProcess | undefined;

beforeAll(async () => {
  system = await startTestSystem({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  await ensureTestVasps(system.db, new Date());
  const page = readFileSync(join(projectRoot, 'packages', 'client', 'README.md'), 'utf8');
  const pieces = [...page.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, piece]) => piece);
  expect(pieces).toHaveLength(5);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'pieces.mjs'), `${pieces.join('\n')}\nconsole.log('The end.');\n`);
});
afterAll(async () => {
  await program?.stop();
  await system.stop();
  rmSync(FOLDER, { recursive: true });
});

test('the pieces of the page run', async () => {
  const { apiKey, name } = await createTenant(system);
  const port = await lastingPort();
  const waybill = new Waybill({ baseUrl: system.url, apiKey });
  const { webhookSecret } = await waybill.tenant.patch({ webhookUrl: `http://127.0.0.1:${port}/` });
  program = runExample('test/client/readme/pieces.mjs', {
    WAYBILL_URL: system.url,
    WAYBILL_KEY: apiKey,
    WEBHOOK_SECRET: webhookSecret ?? '',
    PORT: String(port),
  });
  await program.prints('The end.');
  const [transaction] = await waybill.transactions.list().first(1);
  expect(transaction?.blockchainInfo.transactionHash).toBe(`0x${'ab'.repeat(32)}`);
  expect(program.output()).toContain('Refused: /address');
  expect(program.output()).toContain(`${transaction?.id} CONFIRMED`);
  expect(program.output()).toContain('1 are cleared, 0 wait for a review');
  expect(program.output()).toContain(`${name} 1`);
  expect((await waybill.wallets.list().first(2)).map(({ source }) => source)).toEqual(['CSV']);
  // Sent before the server of the page listens, and again after five seconds.
  await waybill.webhooks.test();
  await program.prints(`Transaction ${transaction?.id} is`);
});
