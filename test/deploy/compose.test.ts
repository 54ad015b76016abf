import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../../process/settings.ts';
import { API_FLAGS, WORKER_FLAGS } from '../../standalone/node-process.ts';
import { projectRoot } from '../../standalone/project-root.ts';
import { composeFile, read, readYaml, service, variablesOfComposeFile } from './compose-file.ts';

const compose = composeFile();
const services = Object.entries(compose.services);
const scripts = (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts;
/** The services that run our image. */
const OURS = ['migrate', 'api', 'worker'] as const;
/** Upper case; what is made of them has names of its own. */
const settings = new Set(Object.keys(readSettings({})).filter((name) => name === name.toUpperCase()));
/** What the images are documented to start; none = what the image starts by itself. */
const PROGRAMS: Record<string, string[]> = {
  postgres: ['postgres'],
  'temporalio/admin-tools': ['/bin/sh'],
  'temporalio/server': ['/bin/sh'],
  'temporalio/ui': [''],
  waybill: ['node'],
};
const source = (volume: string) => volume.split(':')[0] ?? '';
const withoutFile = (name: string) => (settings.has(name) ? name : name.replace(/_FILE$/, ''));

test('api and worker are started with the flags of npm start', () => {
  expect(scripts['api']).toBe(['exec node', ...API_FLAGS, 'dist/api/main.js'].join(' '));
  expect(scripts['worker']).toBe(['exec node', ...WORKER_FLAGS, 'dist/worker/main.js'].join(' '));
});

test('all parts of production are there', () => {
  expect(Object.keys(compose.services).toSorted()).toEqual([
    'api',
    'migrate',
    'postgres',
    'temporal',
    'temporal-namespace',
    'temporal-schema',
    'temporal-ui',
    'worker',
  ]);
});

describe.each(services)('%s', (_name, each) => {
  const { image, command = [], depends_on, secrets, volumes, networks } = each;

  test('runs a named version', () => {
    expect(image).toMatch(/^[a-z/-]+:\d[\w.-]*$/);
  });

  test('has no right that it does not need', () => {
    expect(each).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  test('waits only for what can come to pass', () => {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const other = service(compose, name);
      if (condition === 'service_healthy') expect(other.healthcheck).toBeDefined();
      else expect(other.restart).toMatch(/^on-failure/);
    }
  });

  test('uses secrets, networks and volumes that are defined, and files that are there', () => {
    expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
    expect(Object.keys(compose.networks)).toEqual(expect.arrayContaining(networks));
    for (const from of volumes.map(source)) {
      if (from.startsWith('./')) expect(existsSync(join(projectRoot, from))).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(from);
    }
  });

  test('gets the secrets that it reads, and no others', () => {
    const mounted = volumes.map(source).filter((from) => from.startsWith('./'));
    const texts = [...Object.values(each.environment), ...command, ...mounted.map(read)];
    const found = [...texts.join(' ').matchAll(/\/run\/secrets\/(\w+)/g)].map(([, secret]) => secret);
    expect(new Set(secrets)).toEqual(new Set(found));
  });

  test('starts a program that its image has, or a script that is mounted', () => {
    const [program = '', script = ''] = command;
    expect(PROGRAMS[image.split(':')[0] ?? '']).toContain(program);
    if (script.startsWith('/')) expect(volumes).toContain(`.${script}:${script}:ro`);
  });
});

test('every secret, network and volume is used', () => {
  const used = (kind: 'secrets' | 'networks' | 'volumes') => services.flatMap(([, each]) => each[kind]);
  expect(new Set(used('secrets'))).toEqual(new Set(Object.keys(compose.secrets)));
  expect(new Set(used('networks'))).toEqual(new Set(Object.keys(compose.networks)));
  expect(used('volumes').map(source)).toEqual(expect.arrayContaining(Object.keys(compose.volumes)));
});

describe.each(OURS)('%s, out of our image', (name) => {
  const { command, environment, image, build, init } = service(compose, name);

  test(`runs what \`npm run ${name}\` runs`, () => {
    expect(command?.join(' ')).toBe(scripts[name]?.replace(/^exec /, ''));
  });

  test('is the image of the Dockerfile, below a process that hands on signals', () => {
    expect({ image, build, init }).toEqual({ image: 'waybill:0.1.0', build: '.', init: true });
  });

  test('is given only settings that exist', () => {
    expect(Object.keys(environment).filter((key) => !settings.has(withoutFile(key)))).toEqual([]);
  });

  test('gets secrets as files only', () => {
    for (const secret of [
      'DATABASE_URL',
      'MASTER_KEY',
      'MASTER_KEY_PREVIOUS',
      'OPERATOR_KEY',
      'OPERATOR_KEYS',
    ]) {
      expect(environment).not.toHaveProperty(secret);
    }
  });
});

test('every setting can be made, but for those that only `npm start` has', () => {
  const rotation = JSON.stringify(readYaml('deploy/rotate-master-key.yml'));
  const given = OURS.flatMap((name) => Object.keys(service(compose, name).environment)).map(withoutFile);
  const missing = [...settings].filter(
    (name) => !given.includes(name) && !rotation.includes(`"${name}_FILE"`),
  );
  expect(missing).toEqual(['WAYBILL_HOME']);
});

test('.env.example names every variable that the file takes, and no other', () => {
  const named = read('deploy/.env.example').matchAll(/^([A-Z0-9_]+)=/gm);
  expect([...named].map(([, name]) => name).toSorted()).toEqual(variablesOfComposeFile());
});

test('rotating the master key adds a secret to api and worker, and nothing else', () => {
  const added = {
    environment: { MASTER_KEY_PREVIOUS_FILE: '/run/secrets/master_key_previous' },
    secrets: ['master_key_previous'],
  };
  expect(readYaml('deploy/rotate-master-key.yml')).toEqual({
    services: { api: added, worker: added },
    secrets: { master_key_previous: { file: './deploy/secrets/master_key_previous' } },
  });
});

test.each([
  ['api', 'api/main.ts'],
  ['worker', 'worker/main.ts'],
])('%s has longer to stop than it may take', (name, source) => {
  const limit = /const STOP_LIMIT_MS = ([\d_]+);/.exec(read(source))?.[1]?.replaceAll('_', '');
  const grace = /^(\d+)s$/.exec(service(compose, name).stop_grace_period ?? '')?.[1];
  expect(Number(grace) * 1000).toBeGreaterThanOrEqual(Number(limit) + 5000);
});

describe('who can reach what', () => {
  test('only the api and the UI are published, and to this machine unless .env says otherwise', () => {
    const published = services.flatMap(([name, { ports }]) => ports.map((port) => [name, port]));
    expect(published).toEqual([
      ['temporal-ui', '127.0.0.1:8233:8080'],
      ['api', '127.0.0.1:3000:3000'],
      ['api', '127.0.0.1:3443:3443'],
    ]);
    const elsewhere = composeFile({ API_PUBLISH: '10.0.0.5:80', TRP_PUBLISH: '10.0.0.5:443' });
    expect(service(elsewhere, 'api').ports).toEqual(['10.0.0.5:80:3000', '10.0.0.5:443:3443']);
  });

  test('database and Temporal are in networks without a way out', () => {
    const outside = services.filter(([, { networks }]) => networks.includes('outside')).map(([name]) => name);
    expect(outside.toSorted()).toEqual(['api', 'temporal-ui', 'worker']);
    expect(compose.networks).toEqual({
      database: { internal: true },
      temporal: { internal: true },
      outside: {},
    });
  });

  test('the UI does not reach the database', () => {
    expect(service(compose, 'temporal-ui').networks).not.toContain('database');
  });
});

describe('Temporal', () => {
  const server = service(compose, 'temporal');

  test('server and tools are of one version', () => {
    const images = services.map(([, { image }]) => image.split(':'));
    const versions = images.filter(([name]) => /server|admin-tools/.test(name ?? '')).map(([, tag]) => tag);
    expect(new Set(versions).size).toBe(1);
  });

  test('starts as its image does, once the password is in its environment', () => {
    expect(server.command?.[2]).toMatch(/^export POSTGRES_PWD=".*"; exec \/etc\/temporal\/entrypoint.sh$/);
  });

  test('keeps its state in PostgreSQL, in shards enough for ever', () => {
    expect(server.environment).toMatchObject({ DB: 'postgres12_pgx', NUM_HISTORY_SHARDS: '512' });
  });

  test('its dynamic settings are those of `npm start`, and 100 lists a second', () => {
    const standalone = read('standalone/temporal-server.ts').matchAll(/'(\w+\.\w+)=(.+)'/g);
    const expected = Object.fromEntries(
      [...standalone].map(([, key = '', value = '']) => [key, [{ value: JSON.parse(value) as unknown }]]),
    );
    expect(Object.keys(expected)).toHaveLength(6);
    expect(readYaml('deploy/temporal-dynamic-config.yaml')).toEqual({
      ...expected,
      'frontend.namespaceRPS.visibility': [{ value: 100 }],
    });
  });

  test('reads the file with them that is mounted', () => {
    const path = server.environment['DYNAMIC_CONFIG_FILE_PATH'] ?? '';
    expect(server.volumes).toContain(`./deploy/temporal-dynamic-config.yaml:${path}:ro`);
  });

  test('namespace script, UI, api and worker mean the same server and namespace', () => {
    const changed = composeFile({ TEMPORAL_NAMESPACE: 'other' });
    for (const name of ['temporal-namespace', 'temporal-ui', 'api', 'worker']) {
      const { environment } = service(changed, name);
      expect(environment['TEMPORAL_ADDRESS']).toBe('temporal:7233');
      expect(environment['TEMPORAL_NAMESPACE'] ?? environment['TEMPORAL_DEFAULT_NAMESPACE']).toBe('other');
    }
  });
});
