import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { projectRoot } from '../standalone/project-root.ts';
import { endpoints } from '../api/endpoints.ts';
import { sandboxEndpoints } from '../api/sandbox/sandbox-endpoints.ts';
import { testDatabase } from './database.ts';
import {
  arrowsIn,
  arrowsInCircles,
  arrowsOf,
  circularArrows,
  dividedFolders,
  productFolders,
  roomOf,
  sourcesIn,
  stateOfModule,
  textOf,
} from './house.ts';

const read = (path: string) => readFileSync(join(projectRoot, path), 'utf8');

test('the workflow bundle stays small and holds neither database nor schema libraries', () => {
  const bundle = read('dist/workflow-bundle.js');
  // A stray import of a schema library alone adds a megabyte.
  expect(bundle.length).toBeLessThan(2_200_000);
  for (const library of ['zod', 'knex', 'pg', 'undici', 'express']) {
    expect(bundle).not.toContain(`./node_modules/${library}/`);
  }
});

test('domain imports nothing of node, not even its types', () => {
  const files = readdirSync(join(projectRoot, 'domain'), { recursive: true, encoding: 'utf8' });
  const ofNode = /(?:from|import|import\(|require\()\s*['"]node:/;
  expect(files.filter((file) => file.endsWith('.ts') && ofNode.test(read(`domain/${file}`)))).toEqual([]);
});

test('every table that holds data of tenants has the tenant in its rows', async () => {
  const database = await testDatabase();
  try {
    const { rows } = await database.pool.query<{ name: string; columns: string[] }>(
      `select table_name as name, array_agg(column_name::text) as columns from information_schema.columns
       where table_schema = 'public' group by table_name`,
    );
    const without = rows.filter(
      ({ columns }) => !columns.some((column) => /^((outgoing_)?tenant_id|owner)$/.test(column)),
    );
    expect(without.map(({ name }) => name).sort()).toEqual([
      'chain_blocks',
      'chain_cursors',
      'counted_tries',
      'deployment',
      'entities',
      'entity_bundles',
      'entity_import_names',
      'entity_import_rows',
      'entity_names',
      'feed_epochs',
      'knex_migrations',
      'knex_migrations_lock',
      'label_imports',
      'labels',
      'partner_keys',
      'partners',
      'prices',
      'sanctions_chunks',
      'sanctions_entries',
      'sanctions_identifiers',
      'sanctions_lists',
      'sanctions_names',
      'sanctions_staging',
      'sanctions_uploads',
      'sanctions_versions',
      'sanctions_wallets',
      'temporal_namespaces',
      'tenants',
      'webhook_outcomes',
    ]);
  } finally {
    await database.drop();
  }
});

test('every endpoint has a file of its own, named after it', () => {
  const files = readdirSync(join(projectRoot, 'api'), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.includes('/') && file.endsWith('.ts'))
    .map((file) => read(`api/${file}`));
  for (const { method, path } of [...endpoints, ...sandboxEndpoints]) {
    const owners = sources.filter(
      (text) => text.includes(`method: '${method}'`) && text.includes(`path: '${path}',`),
    );
    expect([method, path, owners.length]).toEqual([method, path, 1]);
  }
});

test('one copy of protobufjs 8 serves all: with more, replaying histories throws', () => {
  const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version?: string }> };
  const copies = Object.entries(lock.packages).filter(
    ([path, { version }]) => path.endsWith('node_modules/protobufjs') && version?.startsWith('8.'),
  );
  expect(copies.map(([path]) => path)).toEqual(['node_modules/protobufjs']);
});

test('the lock file names no download addresses, and every dependency is pinned', () => {
  // The package of this project is resolved to its folder.
  const resolved = [...read('package-lock.json').matchAll(/"resolved": "([^"]*)"/g)].map(([, from]) => from);
  expect(resolved).toEqual(['packages/client']);
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<
    string,
    Record<string, string>
  >;
  for (const version of Object.values({ ...dependencies, ...devDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

test('the list of shipped data names every file that is there, and no other', () => {
  const shipped = readdirSync(join(projectRoot, 'data'), { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.includes('/'),
  );
  const spans = [
    ...read('data/README.md').matchAll(/`((?:labels|entities|sanctions-lists|name-words)\/[^`]+)`/g),
  ];
  const named = spans.flatMap(([, span = '']) => {
    const [, start = '', choices = '', end = ''] = /^([^{]*)\{?([^}]*)\}?(.*)$/.exec(span) ?? [];
    return choices.split(',').map((choice) => `${start}${choice}${end}`);
  });
  expect([...new Set(named)].sort()).toEqual(shipped.sort());
});

test('documents link only to files that exist', () => {
  for (const document of [
    'README.md',
    ...readdirSync(join(projectRoot, 'docs'))
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${file}`),
  ]) {
    const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, link]) => link ?? '');
    for (const link of links)
      expect([document, link, existsSync(join(projectRoot, document, '..', link))]).toEqual([
        document,
        link,
        true,
      ]);
  }
});

const SOURCES = [...productFolders(), 'standalone', 'bench', 'web']
  .flatMap((folder) => sourcesIn(folder))
  .filter((file) => !file.startsWith('db/migrations/'));

describe('the house', () => {
  const divided = productFolders().flatMap((folder) => dividedFolders(folder));

  test.each(divided)('no rooms of %s import each other in a circle, neither values nor types', (folder) => {
    expect(arrowsInCircles(folder, arrowsIn(folder))).toEqual([]);
  });

  test('the folders that have rooms are those of api, db, domain and the rest', () => {
    expect(divided).toEqual(
      expect.arrayContaining(['api', 'api/auth', 'db', 'domain', 'domain/sanctions', 'domain/transactions']),
    );
  });

  test.each(['db', 'domain'])(
    'no folders of %s import each other in a circle, nor one and its rooms',
    (top) => {
      // Files in the root are the floor: each is a room of its own.
      const folderOf = (file: string) => (posix.dirname(file) === top ? file : posix.dirname(file));
      expect(circularArrows(arrowsIn(top), folderOf)).toEqual([]);
    },
  );

  test('no files import each other in a circle, neither values nor types', () => {
    expect(circularArrows(arrowsOf(SOURCES))).toEqual([]);
  });

  test('a circle is found and its arrows are named', () => {
    const arrows = [
      { from: 'db/a/one.ts', to: 'db/b/two.ts' },
      { from: 'db/b/three.ts', to: 'db/c.ts' },
      { from: 'db/c.ts', to: 'db/a/four.ts' },
      { from: 'db/a/one.ts', to: 'db/d/five.ts' },
    ];
    expect(arrowsInCircles('db', arrows)).toEqual([
      'db/a/one.ts -> db/b/two.ts',
      'db/b/three.ts -> db/c.ts',
      'db/c.ts -> db/a/four.ts',
    ]);
    expect(circularArrows(arrows)).toEqual([]);
    expect(circularArrows([...arrows, { from: 'db/b/two.ts', to: 'db/a/one.ts' }])).toEqual([
      'db/a/one.ts -> db/b/two.ts',
      'db/b/two.ts -> db/a/one.ts',
    ]);
  });

  test('modules of domain keep no state but this', () => {
    const kept = sourcesIn('domain').flatMap((file) =>
      stateOfModule(textOf(file)).map((name) => `${file}: ${name}`),
    );
    expect(kept).toEqual([
      // Set once at the start of a process, then frozen.
      'domain/blockchains.ts: registered',
      // Filled while the module loads.
      'domain/country.ts: codeByName',
      // The work space of one calculation: reused, since millions of names are compared.
      'domain/sanctions/abjad-distance.ts: rows',
      'domain/sanctions/sound-distance.ts: rows',
      'domain/sanctions/spelling-distance.ts: rows',
      'domain/sanctions/spelling-distance.ts: rightLetters',
      'domain/sanctions/spelling-distance.ts: rightGaps',
      // What issues of schemas know beside their texts; nothing reads it but the wording of the same issue.
      'domain/schema-faults.ts: knownNames',
      // Zeros that nothing writes to.
      'domain/verifications/signatures/bip322-transaction.ts: NO_OUTPUT',
      'domain/verifications/signatures/check-ed25519.ts: NO_APPLICATION',
    ]);
  });

  test('state of a module is found', () => {
    const writes = [
      'd.x = 1',
      'e.set(1, 2)',
      'f[0] ??= 1',
      'delete g.x',
      'h.push(1)',
      'if (i.x === 1) j.x += 1',
    ];
    const text = [
      'let a = 1;',
      'const b = new Uint8Array(4);',
      'const c = new Map();',
      'c.set(1, 2);',
      ...['d', 'e', 'f', 'g', 'h', 'i', 'j'].map((name) => `const ${name} = {};`),
      'function write() {',
      ...writes.map((write) => `  ${write};`),
      '}',
    ].join('\n');
    expect(stateOfModule(text)).toEqual(['a', 'b', 'd', 'e', 'f', 'g', 'h', 'j']);
  });

  test('the floor of db knows no concept', () => {
    const floor = ['events', 'idempotency', 'records', 'routes', 'vault', 'migrations'];
    const isFloor = (room: string) => floor.includes(room) || room.endsWith('.ts');
    const climbing = arrowsIn('db').filter(
      ({ from, to }) => isFloor(roomOf('db', from)) && !isFloor(roomOf('db', to)),
    );
    expect(climbing.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('nothing of db stands on its roof', () => {
    const climbing = arrowsIn('db').filter(
      ({ from, to }) => roomOf('db', to) === 'lifecycle' && roomOf('db', from) !== 'lifecycle',
    );
    expect(climbing.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test.each([
    ['transactions', 'transactions'],
    ['verifications', 'verifications'],
    ['claims', 'claims'],
    ['message_pairs', 'message-pairs'],
  ])('%s are written in db/%s only', (table, room) => {
    const write = new RegExp(
      `\\b(?:update|insert into|delete from|copy)\\s+${table}\\b|(?:insertRow|recordRows)\\('${table}'`,
      'i',
    );
    const writers = SOURCES.filter((file) => !file.startsWith('bench/') && write.test(textOf(file)));
    expect(writers.filter((file) => !file.startsWith(`db/${room}/`))).toEqual([]);
    expect(writers).not.toEqual([]);
  });

  test('no exported type is named by one generic word', () => {
    const generic = new RegExp(
      `export (?:interface|type|class) (${[
        'Advance|Answer|Answered|Ask|Asked|Args|Auth|Base|Blocker|Candidate|Change|Changed|Circumstances|Claim|Comparable|Context|Data|Decision|Deed',
        'Details|Entered|Entry|Expected|Field|Figures|Flow|Finding|Findings|Found|Given|Group|Info|Input|Item|Kind|Known|Leaf|Lookup|Look',
        'Judgement|Match|Measure|Named|Note|Notice|Observation|Options|Output|Page|Params|Part|Place|Plan|Question|Reach|Read|Reading|Report',
        'Request|Resolution|Response|Result|Row|Run|Scope|Settlement|Side|Source|Standing|State|Step|Subject|Surroundings|Task',
        'Thing|Told|Transfer|Value|Values|Verdict|View|Waiting|Walk|Wanted|Wish|Word|Work|Write|Written',
      ].join('|')})\\b(?!\\w)`,
      'g',
    );
    // Records of the client have the names of the API's schemas.
    const ofClient = sourcesIn('packages/client/src').filter((file) => !file.endsWith('/records.ts'));
    const found = [...SOURCES, ...ofClient].flatMap((file) =>
      [...textOf(file).matchAll(generic)].map(([, name]) => `${file}: ${name}`),
    );
    expect(found).toEqual([]);
  });
});
