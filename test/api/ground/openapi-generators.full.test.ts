import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { referenceDocument } from '../../../api/docs-page.ts';
import { endpointsOf } from '../../../api/endpoints.ts';
import { projectRoot } from '../../../standalone/project-root.ts';

// Linters and client generators of others read the document as it is served, and what they make compiles. They are
// packages of their own in test/openapi-tools, since some want another TypeScript, and are installed once per lock file.

const source = join(projectRoot, 'test', 'openapi-tools');
const tools = join(projectRoot, 'node_modules', '.cache', 'openapi-tools');
/** Installing takes a while where nothing is cached. */
const INSTALL_MS = 600_000;
const folder = mkdtempSync(join(tmpdir(), 'waybill-openapi-'));
const document = join(folder, 'openapi.json');

beforeAll(() => writeFileSync(document, JSON.stringify(referenceDocument(endpointsOf('sandbox')))));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs a command to its end; its output. Throws the output if it fails. */
function run(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): string {
  const ran = spawnSync(command, args, { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
  const output = `${ran.stdout}${ran.stderr}`;
  if (ran.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${ran.error?.message ?? output}`);
  return ran.stdout;
}

const isInstalled = (command: string, ...args: string[]) => spawnSync(command, args).status === 0;

/** Installs what a lock file names, unless that was done; the folder with it. */
function installed(name: string, lockFile: string, install: (target: string) => void): string {
  const hash = createHash('sha256')
    .update(readFileSync(join(source, lockFile)))
    .digest('hex');
  const target = join(tools, `${name}-${hash.slice(0, 16)}`);
  const stamp = join(target, 'installed');
  if (!existsSync(stamp)) {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    install(target);
    writeFileSync(stamp, '');
  }
  return target;
}

describe('the tools of npm', () => {
  let bin: string;

  beforeAll(() => {
    const target = installed('npm', 'package-lock.json', (made) => {
      for (const file of ['package.json', 'package-lock.json', 'redocly.yaml']) {
        cpSync(join(source, file), join(made, file));
      }
      run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], made);
    });
    bin = join(target, 'node_modules', '.bin');
  }, INSTALL_MS);

  /** Compiles what was generated strictly, its declarations included. */
  function compile(generated: string): void {
    const strict = { strict: true, skipLibCheck: false, noEmit: true, types: [] };
    const modules = { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'] };
    writeFileSync(join(generated, 'package.json'), '{ "type": "module" }');
    const config = { compilerOptions: { ...strict, ...modules }, include: ['.'] };
    writeFileSync(join(generated, 'tsconfig.json'), JSON.stringify(config));
    run(join(bin, 'tsc'), ['-p', '.'], generated);
  }

  test('redocly finds no error and nothing to warn of', () => {
    const config = join(bin, '..', '..', 'redocly.yaml');
    const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const report = run(
      join(bin, 'redocly'),
      ['lint', document, '--config', config, '--format=json'],
      folder,
      quiet,
    );
    const { totals } = JSON.parse(report.slice(report.indexOf('{\n'))) as { totals: object };
    expect(totals).toEqual({ errors: 0, warnings: 0, ignored: 0 });
  });

  test('openapi-typescript makes types that compile', () => {
    const made = join(folder, 'openapi-typescript');
    run(join(bin, 'openapi-typescript'), [document, '-o', join(made, 'schema.d.ts')], folder);
    compile(made);
  });

  test('@hey-api/openapi-ts makes a client that compiles', () => {
    const made = join(folder, 'hey-api');
    run(join(bin, 'openapi-ts'), ['-i', document, '-o', made, '-c', '@hey-api/client-fetch'], folder);
    compile(made);
  });
});

/** A test where the language is installed; otherwise one that is reported as SKIPPED, with a line that says so. */
function testWhere(isThere: boolean, language: string, name: string, play: () => void): void {
  if (isThere) {
    test(name, play, INSTALL_MS);
    return;
  }
  process.stderr.write(`SKIPPED: ${language} is not installed, so its client was not generated\n`);
  test.skip(name, play);
}

const hasPython = isInstalled('python3', '-c', 'import sys, venv; assert sys.version_info >= (3, 10)');

testWhere(
  hasPython,
  'Python',
  'openapi-python-client makes a client without a warning, and it can be imported',
  () => {
    const target = installed('python', 'requirements.txt', (made) => {
      run('python3', ['-m', 'venv', '.'], made);
      run(join(made, 'bin', 'pip'), ['install', '-q', '-r', join(source, 'requirements.txt')], made);
    });
    const bin = join(target, 'bin');
    const made = join(folder, 'python');
    const args = [
      'generate',
      '--path',
      document,
      '--output-path',
      made,
      '--meta',
      'none',
      '--fail-on-warning',
    ];
    run(join(bin, 'openapi-python-client'), args, folder, {
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
    });
    run(join(bin, 'python'), ['-m', 'compileall', '-q', made], folder);
    run(
      join(bin, 'python'),
      ['-c', 'import python.models, python.api.transactions.create_transaction'],
      folder,
    );
  },
);

testWhere(isInstalled('go', 'version'), 'Go', 'oapi-codegen makes a client that compiles', () => {
  const made = join(folder, 'go');
  cpSync(join(source, 'go'), made, { recursive: true });
  run('go', ['tool', 'oapi-codegen', '-config', 'oapi-codegen.yaml', document], made);
  run('go', ['vet', './...'], made);
});
