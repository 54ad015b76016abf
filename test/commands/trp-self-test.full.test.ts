import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { selfSigned } from '../factories/self-signed.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { localCertificate, trpOverTls } from '../factories/trp-over-tls.ts';
import { runTrpSelfTest } from '../factories/trp-self-test.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

const own = localCertificate();
const home = mkdtempSync(join(tmpdir(), 'waybill-self-test-'));
let system: TestSystem;
let tenant: TestTenant;
let settings: Record<string, string>;

beforeAll(async () => {
  system = await startTestSystem({ config: trpOverTls(own, [own]) });
  await ensureGateways(system.db, new Date());
  tenant = await createTenant(system, { name: 'Tenant for trials' });
  const { host } = new URL(trpUrl());
  system.config.TRP_HOSTS = new Map([[host, tenant.id]]);
  settings = {
    ENVIRONMENT: 'production',
    WEBHOOK_ALLOWED_HOSTS: 'localhost',
    TRP_URL: trpUrl(),
    TRP_HOSTS: `${host}:${tenant.id}`,
    TRP_TLS_PORT: '3443',
    TRP_TLS_CERT: own.cert,
    TRP_TLS_KEY: own.key,
    TRP_TLS_CA: own.cert,
  };
  writeFileSync(join(home, 'key'), `${tenant.apiKey}\n`);
  writeFileSync(join(home, 'no-key'), 'wb_sandbox_of_nobody');
});
afterAll(async () => {
  await system.stop();
  rmSync(home, { recursive: true });
});

const trpUrl = () => system.config.TRP_URL ?? '';
const withKey = (name: string) => ['--key-file', join(home, name), '--api', system.url];
const PEER = ['--peer', 'https://localhost:0'];

test('both roles are played over TLS, with the certificate, and nothing is left for the tenant', async () => {
  const tested = await runTrpSelfTest([...withKey('key'), ...PEER], settings);
  expect(tested).toMatchObject({ code: 0, wrong: [], left: [] });
  expect(tested.output.match(/with the certificate of the deployment/g)).toHaveLength(3);
  expect((await tenant.get<Transaction[]>('/transactions')).body).toEqual([]);
  expect((await tenant.get<unknown[]>('/wallets')).body).toEqual([]);
});

test('without a key of a tenant it says what it has left out', async () => {
  const tested = await runTrpSelfTest([], settings);
  expect(tested).toMatchObject({
    code: 0,
    wrong: [],
    left: [expect.stringMatching(/^Exchanges .* need --key-file/)],
  });
});

describe('what is wrong is named, with what to do next', () => {
  const other = localCertificate();
  const foreign = selfSigned('elsewhere.example', new Date('2035-01-01'));
  const old = selfSigned('localhost', new Date('2021-01-01'));
  test.each<[string, Record<string, string>, string, string]>([
    ['a certificate that the api does not trust', pair(other), 'Certificate seen by the api', 'TRP_TLS_CA'],
    ['a certificate of another host', pair(foreign), 'Certificate', 'subjectAltName'],
    ['a certificate whose time is over', pair(old), 'Certificate', 'Renew it'],
    ['the key of another certificate', { TRP_TLS_KEY: other.key }, 'Certificate', 'both from one request'],
    ['an authority that is not known here', { TRP_TLS_CA: other.cert }, '/version', 'TRP_TLS_CA'],
  ])('%s', async (_, changes, step, next) => {
    const tested = await runTrpSelfTest([], { ...settings, ...changes });
    expect(tested.code).toBe(1);
    expect(tested.wrong).toContainEqual(expect.stringMatching(`^${step}: `));
    expect(tested.output).toContain(next);
  });

  function pair({ cert, key }: { cert: string; key: string }) {
    return { TRP_TLS_CERT: cert, TRP_TLS_KEY: key };
  }

  test('a host of no tenant', async () => {
    const { TRP_HOSTS } = system.config;
    system.config.TRP_HOSTS = new Map();
    const tested = await runTrpSelfTest([], settings);
    system.config.TRP_HOSTS = TRP_HOSTS;
    expect(tested).toMatchObject({ code: 1, wrong: [expect.stringMatching('^/identity: ')] });
    expect(tested.output).toContain('<tenant id> to TRP_HOSTS');
  });

  test('nothing listens there', async () => {
    const tested = await runTrpSelfTest(['--url', 'https://localhost:1'], settings);
    expect(tested).toMatchObject({ code: 1, wrong: [expect.stringMatching('^/version: ')] });
    expect(tested.output).toContain('Nothing listens there');
  });

  test('a key of nobody', async () => {
    const tested = await runTrpSelfTest([...withKey('no-key'), ...PEER], settings);
    expect(tested).toMatchObject({ code: 1 });
    expect(tested.output).toContain('must have a valid API key');
  });

  test('a peer that must not be called', async () => {
    const given = ['--peer', 'https://10.0.0.8:1'];
    const tested = await runTrpSelfTest([...withKey('key'), ...given], settings);
    expect(tested.code).toBe(1);
    expect(tested.output).toContain('WEBHOOK_ALLOWED_HOSTS');
    expect((await tenant.get<unknown[]>('/wallets')).body).toEqual([]);
  });
});

test('what cannot be read is exit code 2', async () => {
  for (const args of [['--url', 'localhost'], ['--key-file', join(home, 'none')], ['more']])
    expect((await runTrpSelfTest(args, settings)).code).toBe(2);
});
