import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readTenant } from '../../standalone/demo-data.ts';
import { exportLine } from '../../standalone/export-line.ts';
import { eventually } from '../eventually.ts';
import { storyOfReadme } from '../readme-story.ts';
import { Installation, isAlive } from './installation.ts';
import { PARTS, Traffic } from './killed-parts.ts';

/** Answers between two kills. */
const BETWEEN_KILLS = 16;
/** The last quarter is sent when every part has been killed. */
const TRANSACTIONS = (PARTS.length + 1) * BETWEEN_KILLS;

/** One for all tests, which tell one story: a start of everything takes ten seconds of CPU time. */
const installation = new Installation();
let waybill: Awaited<ReturnType<Installation['start']>>;
let traffic: Traffic | undefined;

beforeAll(async () => {
  waybill = await installation.start();
});
afterAll(async () => {
  await traffic?.close();
  await installation.remove();
});

/** What a start goes on with. */
async function whatIsKept() {
  const { apiUrl, operatorKey, tenants } = installation.running();
  const [alpine] = tenants;
  const kept = await fetch(`${apiUrl}/transactions`, { headers: { 'X-Api-Key': alpine?.apiKey ?? '' } });
  const ids = ((await kept.json()) as { id: string }[]).map(({ id }) => id);
  return { operatorKey, apiKey: alpine?.apiKey, ids, ofTraffic: await traffic?.kept() };
}

async function stopsWith(signal: NodeJS.Signals): Promise<void> {
  const stoppedAt = performance.now();
  waybill.child.kill(signal);
  await waybill.ended;
  await eventually(
    async () => await installation.processes(),
    (left) => left.length === 0,
  );
  expect(performance.now() - stoppedAt).toBeLessThan(30_000);
  expect(existsSync(installation.file)).toBe(false);
}

test('npm start comes up from any folder, with API, documentation, Temporal UI, two tenants and a partner', async () => {
  const { apiUrl, consoleUrl, docsUrl, temporalUiUrl, tenants, partner } = installation.running();
  expect(statSync(installation.file).mode & 0o777).toBe(0o600);
  for (const url of [`${apiUrl}/health/ready`, consoleUrl, docsUrl, temporalUiUrl]) {
    expect([url, (await fetch(url)).status]).toEqual([url, 200]);
  }
  expect(tenants.map((tenant) => tenant.name)).toEqual(['Alpine Exchange', 'Harbour Custody']);
  const profile = await fetch(`${apiUrl}/partners/me`, { headers: { 'X-Partner-Api-Key': partner.apiKey } });
  expect(await profile.json()).toMatchObject({ name: 'Meridian Network' });
  expect(waybill.output()).toContain(`\n${exportLine(installation.running())}\n`);
});

const STORY = [
  '127.0.0.1:RECEIVER/alpine',
  '127.0.0.1:RECEIVER/harbour',
  'CONFIRMED',
  // The payout may go, as the sender's clearance and the log say.
  "outcome: 'GO'",
  "nextAction: 'ADD_HASH'",
  // The proof of a wallet.
  'VERIFIED',
  // A listed name, the transfer of its bearer, and the reviewer's block.
  'true',
  'MADURO MOROS, Nicolas',
  "outcome: 'STOP'",
  'BLOCKED_BY_REVIEW',
  // Rules: the names of a starter set, the draft's decision, the published version.
  'Sanctioned wallet',
  'REVIEW',
  '1',
];
const WEBHOOKS = [
  ['/harbour', 'INCOMING DELIVERED/ON_HOLD 1.5 ETH'],
  ['/alpine', 'OUTGOING CONFIRMED/AWAITING_TRANSACTION_HASH 1.5 ETH'],
  ['/alpine', 'OUTGOING PENDING/ON_HOLD 0.5 ETH'],
  ['/alpine', 'OUTGOING CANCELLED/BLOCKED_BY_REVIEW 0.5 ETH'],
  ['/alpine', 'VERIFIED ETH'],
];

test('the story of the README can be pasted, and npm run receiver prints its webhooks', async () => {
  const receiver = installation.npm('run', 'receiver');
  const [, receiverUrl = ''] = await eventually(
    () => /at http:\/\/(\S+)\//.exec(receiver.output()) ?? [],
    ([found]) => found !== undefined,
  );
  const { output, complaints } = await installation.paste(
    storyOfReadme().join('\n').replaceAll('127.0.0.1:4000', receiverUrl),
  );
  expect(complaints).toBe('');
  const expected = STORY.map((text) => text.replace('127.0.0.1:RECEIVER', receiverUrl));
  expect(inOrder(output, expected)).toEqual(expected);
  await eventually(
    () => webhooksIn(receiver.output()),
    (printed) => WEBHOOKS.every((webhook) => printed.some((line) => line.startsWith(webhook.join(' ')))),
  );
  receiver.child.kill('SIGTERM');
  await receiver.ended;
});

/** The texts that the output contains, each behind the one before. */
function inOrder(output: string, texts: string[]): string[] {
  let from = 0;
  return texts.filter((text) => {
    const at = output.indexOf(text, from);
    if (at >= 0) from = at + text.length;
    return at >= 0;
  });
}

/** What was printed of webhooks with a right signature: path and content. */
function webhooksIn(printed: string): string[] {
  return [...printed.matchAll(/POST (\S+).*\n.*\n  signature right.*\n  (.*)\n/g)].map(
    ([, path, content]) => `${path} ${content}`,
  );
}

/** The transactions that Alpine Exchange has of the story: a message and a held transfer. */
const OF_STORY = 2;
/** And of the demo: to Harbour Custody, to five test VASPs, over a partner, to a mailbox, to a second deployment, and a payout, among others. */
const OF_DEMO = 15;
/** What the demo prints in this order: a documented address of the simulator, the partner, and the end of a transfer by TRP. */
const PLAYED = [
  '0x7e57000000000000000000000000000000000002, which names nobody: Alpine received DECLINED',
  'over PARTNER:Meridian Network',
  'TRP carries the txid over: 0x',
  'Done:',
];

async function webhookUrls(): Promise<unknown[]> {
  const { apiUrl, tenants } = installation.running();
  return await Promise.all(tenants.map(async ({ apiKey }) => (await readTenant(apiUrl, apiKey)).webhookUrl));
}

test('the demo plays', async () => {
  const before = await webhookUrls();
  const demo = installation.npm('run', 'demo');
  expect([await demo.ended, inOrder(demo.output(), PLAYED)]).toEqual([0, PLAYED]);
  // Nobody waits for webhooks at the addresses of the demo.
  expect(await webhookUrls()).toEqual(before);
  expect((await whatIsKept()).ids).toHaveLength(OF_STORY + OF_DEMO);
});

test('kill -9 of every part in the middle loses nothing that was answered 201, and everything finishes by itself', async () => {
  traffic = await Traffic.open(installation);
  const kills = PARTS.map((part, index) => ({ part, after: BETWEEN_KILLS * (index + 1) }));
  await traffic.play({ name: 'each', transactions: TRANSACTIONS, kills });
});

test('kill -9 of npm start itself leaves its servers behind; the next start ends them and goes on', async () => {
  const before = await whatIsKept();
  const files = readdirSync(join(installation.home, 'run')).map((file) => file.replace('.json', ''));
  const processes = files.map((file) => installation.recorded(file));
  expect(files).toEqual(expect.arrayContaining([...PARTS, 'standalone']));
  installation.kill('standalone');
  await waybill.ended;
  waybill = await installation.start();
  expect(waybill.output()).toContain('left behind');
  expect(processes.filter(isAlive)).toEqual([]);
  expect((await fetch(`${installation.running().apiUrl}/health/ready`)).status).toBe(200);
  expect(await whatIsKept()).toEqual(before);
});

test('SIGTERM stops everything', async () => {
  await stopsWith('SIGTERM');
});

test('the start after a stop goes on, and SIGINT stops everything, too', async () => {
  waybill = await installation.start();
  const { ids, ofTraffic } = await whatIsKept();
  expect([ids.length, ofTraffic]).toEqual([OF_STORY + OF_DEMO, String(TRANSACTIONS)]);
  await stopsWith('SIGINT');
});
