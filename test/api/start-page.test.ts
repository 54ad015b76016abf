import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Settings } from '../../process/settings.ts';
import { startSecondApi, useApi } from '../use-api.ts';

let home: string;
beforeAll(async () => void (home = await mkdtemp(join(tmpdir(), 'start-page-'))));
afterAll(async () => rm(home, { recursive: true }));

const { api } = useApi();
const DEMO = {
  apiUrl: 'http://127.0.0.1:3000',
  operatorKey: 'demo-operator-key',
  tenants: [
    { name: 'Alpine <b>Exchange</b>', apiKey: 'demo-key', adminEmail: 'a@b.example', adminPassword: 'word' },
  ],
  partner: { name: 'Summit', apiKey: 'demo-partner-key' },
};

/** The address of an api with other settings. */
const withSettings = async (settings: Partial<Settings>) =>
  (await startSecondApi(api, { deps: { settings: { ...api.config, ...settings } } })).url;

/** The status of a request with another Host, which `fetch` does not send. */
const statusFor = async (host: string) =>
  await new Promise((resolve, reject) => {
    get(`${api.url}/`, { headers: { Host: host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).on('error', reject);
  });

test('says what is where, with the Temporal UI in the namespace of this system', async () => {
  const url = await withSettings({
    WAYBILL_HOME: home,
    TEMPORAL_UI_URL: 'http://127.0.0.1:8233/',
    TEMPORAL_NAMESPACE: 'way bill',
  });
  const answer = await fetch(`${url}/`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
  const page = await answer.text();
  for (const address of [
    '/docs',
    '/console/',
    '/mailbox',
    `${api.deps.db.walletUrl}/`,
    'http://127.0.0.1:8233/namespaces/way%20bill/workflows',
  ])
    expect(page).toContain(`href="${address}"`);
  expect(page).not.toContain('Keys of this trial');
  expect((await fetch(`${api.url}/start.css`)).headers.get('content-type')).toContain('text/css');
});

test('has the keys of the demo in a sandbox, as text, and none in production', async () => {
  await writeFile(join(home, 'standalone.json'), JSON.stringify(DEMO));
  const page = await (await fetch(`${await withSettings({ WAYBILL_HOME: home })}/`)).text();
  for (const text of ['demo-key', 'demo-partner-key', 'demo-operator-key', 'a@b.example', 'word'])
    expect(page).toContain(`>${text}<`);
  expect(page).toContain('Alpine &#60;b&#62;Exchange');
  const production = await withSettings({ WAYBILL_HOME: home, ENVIRONMENT: 'production' });
  expect(await (await fetch(`${production}/`)).text()).not.toContain('demo-');
});

test('404 for anybody who does not sit at this machine', async () => {
  expect(await statusFor('rebound.example')).toBe(404);
  expect(await statusFor('localhost:3000')).toBe(200);
  expect((await fetch(`${api.url}/`, { headers: { 'X-Forwarded-For': '127.0.0.1' } })).status).toBe(404);
  for (const settings of [
    { TRUST_PROXY: true },
    { HOST: '0.0.0.0' },
    { PUBLIC_URL: 'https://travel-rule.example' },
  ])
    expect((await fetch(`${await withSettings(settings)}/`)).status).toBe(404);
});
