import { createHash, randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '../../api/endpoints.ts';
import { readSettings, requirePublicUrl, requireSettings } from '../../process/settings.ts';
import { lastingPort } from '../lasting-port.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { composeFile, read, service } from './compose-file.ts';

const compose = composeFile();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deploy-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script of deploy/ out of a folder of its own. */
function run(program: string, script: string) {
  cpSync(join(projectRoot, 'deploy', script), join(folder, 'deploy', script));
  const { status, stderr } = spawnSync(program, [join(folder, 'deploy', script)], { encoding: 'utf8' });
  return { status, stderr };
}

const secretFiles = () =>
  readdirSync(join(folder, 'deploy/secrets')).map((name) => join('deploy/secrets', name));
const contents = () => secretFiles().map((file) => [file, readFileSync(join(folder, file), 'utf8')]);

describe('deploy/make-secrets.sh', () => {
  test('makes every secret that docker-compose.yml mounts', () => {
    expect(run('sh', 'make-secrets.sh')).toEqual({ status: 0, stderr: '' });
    const mounted = Object.values(compose.secrets).map(({ file }) => file);
    expect(secretFiles().map((file) => `./${file}`)).toEqual(mounted.toSorted());
  });

  test('containers can read them, other users of this machine cannot get to them', () => {
    run('sh', 'make-secrets.sh');
    expect(statSync(join(folder, 'deploy/secrets')).mode & 0o777).toBe(0o700);
    expect(secretFiles().map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual(
      Array(15).fill(0o444),
    );
  });

  test('no two are alike, and a second run keeps them', () => {
    run('sh', 'make-secrets.sh');
    const first = contents();
    expect(new Set(first.map(([, secret]) => secret)).size).toBe(11);
    expect(run('sh', 'make-secrets.sh')).toEqual({ status: 0, stderr: '' });
    expect(contents()).toEqual(first);
  });

  test.each([
    ['database_owner_url', 'waybill', 'waybill_database_password'],
    ['database_url', 'waybill_service', 'waybill_service_database_password'],
  ])('%s names the role %s and holds its password', (name, role, password) => {
    run('sh', 'make-secrets.sh');
    const secret = (file: string) => readFileSync(join(folder, 'deploy/secrets', file), 'utf8');
    const url = new URL(secret(name));
    expect(url.password).toBe(secret(password));
    expect([url.username, url.host, url.pathname]).toEqual([role, 'postgres:5432', '/waybill']);
    expect(Object.keys(compose.services)).toContain(url.hostname);
    expect(read('deploy/create-roles.sql')).toContain(`create role ${role} login`);
  });

  test('the owner of the tables is known to the migrations alone', () => {
    expect(read('deploy/create-roles.sql')).toContain('create database waybill owner waybill;');
    const knowing = (secret: string) =>
      Object.entries(compose.services).flatMap(([name, { secrets }]) =>
        secrets.includes(secret) ? [name] : [],
      );
    expect(knowing('database_owner_url')).toEqual(['migrate']);
    expect(knowing('waybill_database_password')).toEqual(['postgres']);
  });
});

test.each(['api', 'worker'])('what the %s is given is a configuration for production', (name) => {
  run('sh', 'make-secrets.sh');
  const { environment } = service(compose, name);
  const here = (value: string) => value.replace('/run/secrets', join(folder, 'deploy/secrets'));
  const given = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, here(value)]));
  expect(() => requirePublicUrl(readSettings(given))).toThrow('PUBLIC_URL: is required in production');
  const [, url] = /^PUBLIC_URL=(.*)$/m.exec(read('deploy/.env.example')) ?? [];
  const config = readSettings({ ...given, PUBLIC_URL: url });
  expect(config).toMatchObject({ ENVIRONMENT: 'production', TEMPORAL_ADDRESS: 'temporal:7233' });
  expect(() => requireSettings(config, ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'MASTER_KEY'])).not.toThrow();
  expect(() => requirePublicUrl(config)).not.toThrow();
});

test.each([
  'https://localhost',
  'https://127.0.0.2:8443',
  'https://[::1]',
  'https://user@api.example',
  'https://:secret@api.example',
  'https://localhost.',
  'https://api.localhost',
  'https://0.0.0.0',
  'https://[::]',
  'https://[::ffff:127.0.0.1]',
  'https://[::127.0.0.1]',
  'https://localhost.localdomain',
  'https://localhost6',
  'https://ip6-localhost:8443',
  'https://api.example/?a=1',
  'https://api.example/#part',
])('PUBLIC_URL and WALLET_URL in production lead others to the deployment: not %s', (address) => {
  const production = { ENVIRONMENT: 'production', PUBLIC_URL: 'https://api.example' };
  const require = (given: Record<string, string>) => () => requirePublicUrl(readSettings(given));
  expect(require({ ...production, PUBLIC_URL: address })).toThrow(/^PUBLIC_URL: .*$/);
  expect(require({ ...production, WALLET_URL: address })).toThrow(/^WALLET_URL: .*$/);
  expect(require({ ...production, WALLET_URL: 'https://wallet.example/wallet' })).not.toThrow();
  expect(require({ PUBLIC_URL: address, WALLET_URL: address })).not.toThrow();
});

test.each(['requireTLS=false', 'ignoreTLS=true', 'opportunisticTLS=true', 'tls.rejectUnauthorized=false'])(
  'SMTP_URL in production switches no TLS off by %s',
  (option) => {
    const given = {
      SMTP_URL: `smtp://mail.example?pool=true&${option}`,
      MAIL_FROM: 'travel-rule@alpine.example',
    };
    const name = option.split('=')[0] ?? '';
    expect(() => readSettings({ ENVIRONMENT: 'production', ...given })).toThrow(
      `SMTP_URL: the option ${name}`,
    );
    expect(() => readSettings(given)).not.toThrow();
    const pooled = { ...given, SMTP_URL: 'smtp://mail.example?pool=true' };
    expect(() => readSettings({ ENVIRONMENT: 'production', ...pooled })).not.toThrow();
  },
);

test('MASTER_KEY is random in production; one that it replaces may be named all the same', () => {
  const weak = '0'.repeat(64);
  const production = { ENVIRONMENT: 'production' };
  expect(() => readSettings({ ...production, MASTER_KEY: weak })).toThrow('MASTER_KEY: a random key');
  expect(() => readSettings({ MASTER_KEY: weak })).not.toThrow();
  const MASTER_KEY = randomBytes(32).toString('hex');
  expect(() => readSettings({ ...production, MASTER_KEY, MASTER_KEY_PREVIOUS: weak })).not.toThrow();
});

test.each(['PUBLIC_URL', 'WALLET_URL', 'TRP_URL', 'LIVENESS_URL', 'PRICES_URL', 'S3_ENDPOINT'])(
  '%s goes encrypted in production, and may be anything in a sandbox',
  (name) => {
    const bucket = { S3_BUCKET: 'files', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' };
    const given = (url: string) => ({ ...bucket, S3_ENDPOINT: 'https://s3.example', [name]: url });
    const inProduction = (url: string) => readSettings({ ENVIRONMENT: 'production', ...given(url) });
    expect(() => inProduction('http://open.example')).toThrow(`${name}: https is required in production`);
    expect(() => inProduction('HTTP://open.example')).toThrow(name);
    expect(inProduction('https://sealed.example')).toMatchObject({ [name]: 'https://sealed.example' });
    expect(readSettings(given('http://open.example'))).toMatchObject({ [name]: 'http://open.example' });
  },
);

describe('lists and nodes are asked encrypted in production, unless they are inside the network', () => {
  const REFUSAL = 'https is required in production, except for hosts inside your network';
  const chainsFile = (url: string) => {
    const file = join(folder, 'chains.json');
    const chain = { name: 'Own', caip2: 'eip155:99', kind: 'EVM', nativeAsset: 'OWN', decimals: 18 };
    writeFileSync(file, JSON.stringify([{ ...chain, rpcUrl: ['https://node.example', url] }]));
    return file;
  };
  const settingsOf = (url: string, ENVIRONMENT = 'production') => [
    { ENVIRONMENT, LISTS_OFAC_SDN_URL: `https://lists.example/sdn.csv,${url}`, LISTS_UN_SC_URL: 'off' },
    { ENVIRONMENT, CHAINS_FILE: chainsFile(url) },
  ];

  test.each([
    'http://lists.example/a',
    'HTTP://Lists.Example/a',
    'http://8.8.8.8/',
    'http://[2606:4700::1]/',
  ])('%s is refused', (url) => {
    const [lists, nodes] = settingsOf(url);
    expect(() => readSettings(lists)).toThrow(`LISTS_OFAC_SDN_URL: ${REFUSAL}`);
    expect(() => readSettings(nodes)).toThrow(`CHAINS_FILE: Own: ${REFUSAL}`);
    for (const given of settingsOf(url, 'sandbox')) expect(() => readSettings(given)).not.toThrow();
  });

  test.each([
    'https://a.example/',
    'http://mirror:8080/a',
    'http://10.1.2.3/',
    'http://[::1]:8332/',
    'http://n.svc.local',
  ])('%s is taken', (url) => {
    for (const given of settingsOf(url)) expect(() => readSettings(given)).not.toThrow();
  });
});

describe('files go to a virus scanner inside the network only, since its protocol has no encryption', () => {
  const inProduction = (CLAMD_URL: string) => readSettings({ ENVIRONMENT: 'production', CLAMD_URL });

  test.each(['clamd.example', 'CLAMD.Example', '8.8.8.8', '[2606:4700::1]', '134744072'])(
    '%s is refused in production',
    (host) => {
      const url = `tcp://${host}:3310`;
      expect(() => inProduction(url)).toThrow(
        'CLAMD_URL: a host inside your network is required in production',
      );
      expect(readSettings({ CLAMD_URL: url })).toMatchObject({ CLAMD_URL: url });
    },
  );

  test.each(['clamd', 'clamd.svc.local', '10.1.2.3', '127.0.0.1', '[fd00::1]'])('%s is taken', (host) => {
    expect(() => inProduction(`tcp://${host}:3310`)).not.toThrow();
  });
});

const NEEDED = {
  PATH: process.env['PATH'],
  DATABASE_URL: 'postgres://127.0.0.1:1/none',
  TEMPORAL_ADDRESS: '127.0.0.1:1',
  MASTER_KEY: createHash('sha256').update('start-up').digest('hex'),
};

/** What the process says of an address of a test network under the main network's name. */
function addressIn(environment: Record<string, string>): unknown {
  const script = `
    const { runProcess } = await import(process.argv[1] + '/process/run-process.js');
    const { normalAddress } = await import(process.argv[1] + '/domain/address.js');
    await runProcess('test', async () => {
      console.log(JSON.stringify(normalAddress('Bitcoin', 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx')));
    });`;
  const env = { ...NEEDED, ...environment };
  const args = ['--input-type=module', '-e', script, join(projectRoot, 'dist')];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', env, cwd: folder });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

test('a process takes addresses of test networks under main names in a sandbox only', () => {
  expect(addressIn({ ENVIRONMENT: 'sandbox' })).toMatchObject({ ok: true });
  const production = { ENVIRONMENT: 'production', PUBLIC_URL: 'https://api.example' };
  expect(addressIn(production)).toMatchObject({ ok: false });
});

test('an api without PUBLIC_URL does not start in production, and says so in one line', () => {
  const env = { ...NEEDED, ENVIRONMENT: 'production' };
  const main = join(projectRoot, 'dist/api/main.js');
  const { status, stderr } = spawnSync(process.execPath, [main], { encoding: 'utf8', env, cwd: folder });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^PUBLIC_URL: is required in production.*\n$/)]);
});

describe('health checks', () => {
  /** Runs the check as it stands, but against that port; gives its exit code. */
  async function check(name: string, port: number): Promise<number | null> {
    const { healthcheck, environment } = service(compose, name);
    const [, program = '', ...args] = healthcheck?.test ?? [];
    const own = `:${environment[name === 'api' ? 'PORT' : 'METRICS_PORT']}/`;
    expect(args.join(' ')).toContain(own);
    const replaced = args.map((arg) => arg.replace(own, `:${port}/`));
    const [code] = (await once(spawn(program, replaced), 'exit')) as [number | null];
    return code;
  }

  /** The exit code of the check when its process answers so, and what the check asked for. */
  async function whenAnswered(name: string, status: number) {
    const paths: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      paths.push(request.url);
      response.writeHead(status).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const code = await check(name, (server.address() as AddressInfo).port);
    await once(server.close(), 'close');
    return { code, paths };
  }

  test('the api is well when it says that it lives', async () => {
    const { code, paths } = await whenAnswered('api', 200);
    expect([code, paths]).toEqual([0, ['/health/live']]);
    expect(endpoints.some(({ method, path }) => method === 'GET' && path === '/health/live')).toBe(true);
    expect((await whenAnswered('api', 503)).code).toBe(1);
  });

  test('the worker is well when it answers anything', async () => {
    expect((await whenAnswered('worker', 404)).code).toBe(0);
  });

  test.each(['api', 'worker'])('the %s is not well when nothing answers', async (name) => {
    expect(await check(name, await lastingPort())).toBe(1);
  });
});

describe('without a build', () => {
  const said = {
    status: 1,
    stderr: expect.stringMatching(/^Waybill is not built.*npm run build first\.\n$/),
  };

  test('one line says what to do', () => {
    expect(run(process.execPath, 'check-built.mjs')).toEqual(said);
  });

  test('a build that was broken off counts as none, a whole one passes', () => {
    mkdirSync(join(folder, 'dist'));
    writeFileSync(join(folder, 'dist', 'main.js'), '');
    expect(run(process.execPath, 'check-built.mjs')).toEqual(said);
    writeFileSync(join(folder, 'dist', '.built'), '{}');
    expect(run(process.execPath, 'check-built.mjs')).toEqual({ status: 0, stderr: '' });
  });

  test.each(['api', 'worker', 'migrate'])('`npm run %s` looks first', (name) => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(scripts[`pre${name}`]).toBe('node deploy/check-built.mjs');
  });
});
