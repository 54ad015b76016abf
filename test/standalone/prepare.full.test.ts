import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { projectRoot } from '../../standalone/project-root.ts';

let project: string;
let env: NodeJS.ProcessEnv;

/** A small project with our preparation, the real compiler, and an npm that notes what it is asked. */
beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'prepare-'));
  await mkdir(join(project, 'standalone'));
  for (const file of readdirSync(join(projectRoot, 'standalone')).filter((name) => name.endsWith('.mjs'))) {
    await cp(join(projectRoot, 'standalone', file), join(project, 'standalone', file));
  }
  const compilerOptions = { target: 'es2023', module: 'nodenext', types: [], rootDir: '.', outDir: 'dist' };
  await write('package.json', '{"type":"module"}');
  await write('package-lock.json', '{}');
  await write('tsconfig.json', '{}');
  await write('tsconfig.build.json', JSON.stringify({ compilerOptions, include: ['one', 'domain'] }));
  await write('one/one.ts', 'export const one: number = 1;\n');
  await write('domain/two.ts', 'export const two: number = 2;\n');
  await write(
    'bin/npm',
    '#!/bin/sh\necho "$@" >> npm-calls; mkdir -p node_modules; echo {} > node_modules/.package-lock.json\n',
  );
  await chmod(join(project, 'bin', 'npm'), 0o755);
  const { npm_execpath: _, npm_lifecycle_script: __, ...others } = process.env;
  env = { ...others, PATH: `${join(project, 'bin')}${delimiter}${process.env['PATH']}` };
});

afterEach(async () => rm(project, { recursive: true, force: true }));

async function write(file: string, content: string): Promise<void> {
  await mkdir(join(project, file, '..'), { recursive: true });
  await writeFile(join(project, file), content);
}

/** An installation that fits the lock file, with nothing in it but the compiler. */
async function install(): Promise<void> {
  await write('node_modules/.package-lock.json', '{}');
  for (const name of ['typescript', '@typescript']) {
    await symlink(join(projectRoot, 'node_modules', name), join(project, 'node_modules', name));
  }
}

async function prepare(...args: string[]): Promise<{ code: number | null; output: string }> {
  const script = join(project, 'standalone', 'prepare.mjs');
  const child = spawn(process.execPath, [script, ...args], { cwd: tmpdir(), env });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

const compiled = (file: string): string => join(project, 'dist', file);
const npmCalls = (): string[] =>
  existsSync(join(project, 'npm-calls'))
    ? readFileSync(join(project, 'npm-calls'), 'utf8').trim().split('\n')
    : [];

/** Puts a file's time before or after the lock file's. */
function age(file: string, seconds: number): void {
  const at = statSync(join(project, 'package-lock.json')).mtimeMs / 1000 + seconds;
  utimesSync(join(project, file), at, at);
}

describe('building', () => {
  beforeEach(install);

  test('compiles what is missing, and nothing a second time', async () => {
    await expect(prepare('--build')).resolves.toMatchObject({ code: 0 });
    expect(readFileSync(compiled('domain/two.js'), 'utf8')).toContain('two = 2');
    const writtenAt = statSync(compiled('one/one.js')).mtimeMs;
    await prepare('--build');
    expect(statSync(compiled('one/one.js')).mtimeMs).toBe(writtenAt);
  });

  test('follows a change, whatever the time on the file', async () => {
    await prepare('--build');
    await write('domain/two.ts', 'export const two: number = 22;\n');
    age('domain/two.ts', -10_000);
    await prepare('--build');
    expect(readFileSync(compiled('domain/two.js'), 'utf8')).toContain('two = 22');
  });

  test('removes what no source stands for any more', async () => {
    await prepare('--build');
    await rm(join(project, 'domain'), { recursive: true });
    await prepare('--build');
    expect(existsSync(compiled('domain'))).toBe(false);
    expect(existsSync(compiled('one/one.js'))).toBe(true);
  });

  test('puts back an output that somebody has deleted', async () => {
    await prepare('--build');
    await rm(compiled('one/one.js'));
    await prepare('--build');
    expect(existsSync(compiled('one/one.js'))).toBe(true);
  });

  test('builds the pages, each part again only when its own sources have changed', async () => {
    const script = `import { appendFileSync, mkdirSync } from 'node:fs';
      const folder = process.argv[2] + '/shop';
      mkdirSync(folder, { recursive: true });
      appendFileSync(folder + '/index.html', 'built ');
      appendFileSync(folder + '/page.js', '');\n`;
    await write('web/build.mjs', script);
    await write('web/shop/index.html', '<p>1</p>');
    await prepare('--build');
    await prepare('--build');
    expect(readFileSync(compiled('web/shop/index.html'), 'utf8')).toBe('built ');
    const compiledAt = statSync(compiled('one/one.js')).mtimeMs;
    await write('web/shop/index.html', '<p>2</p>');
    await prepare('--build');
    expect(readFileSync(compiled('web/shop/index.html'), 'utf8')).toBe('built built ');
    expect(statSync(compiled('one/one.js')).mtimeMs).toBe(compiledAt);
    await write('one/one.ts', 'export const one: number = 2;\n');
    await prepare('--build');
    expect(readFileSync(compiled('web/shop/index.html'), 'utf8')).toBe('built built ');
    expect(existsSync(compiled('web/shop/page.js'))).toBe(true);
    await rm(compiled('web/shop/index.html'));
    await prepare('--build');
    expect(readFileSync(compiled('web/shop/index.html'), 'utf8')).toBe('built ');
  });

  test('prints type errors, stops, and tries again next time', async () => {
    await write('one/one.ts', 'export const one: number = "1";\n');
    const { code, output } = await prepare('--build');
    expect(code).toBe(1);
    expect(output).toContain('one/one.ts(1,14): error TS2322');
    await write('one/one.ts', 'export const one: number = 11;\n');
    await expect(prepare('--build')).resolves.toMatchObject({ code: 0 });
    expect(readFileSync(compiled('one/one.js'), 'utf8')).toContain('one = 11');
  });

  test('two at once wait in line and leave a whole dist', async () => {
    const both = await Promise.all([prepare('--build'), prepare('--build')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(readdirSync(join(project, 'dist')).sort()).toEqual(['.built', 'domain', 'one']);
  });

  test('the lock of a process that was killed is taken over', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await once(gone, 'exit');
    await write('dist/.lock', String(gone.pid));
    // A build that takes over two seconds reports its progress, however it came to its lock.
    await expect(prepare('--build')).resolves.toMatchObject({
      code: 0,
      output: expect.not.stringContaining('waiting for it') as string,
    });
  });
});

describe('installing', () => {
  test('runs npm ci, with the compiler, on a fresh clone', async () => {
    await prepare('--build');
    expect(npmCalls()).toEqual([expect.stringMatching(/^ci .*--include=dev/)]);
  });

  test('runs npm ci when the lock file is newer than the packages', async () => {
    await install();
    age('node_modules/.package-lock.json', -10);
    await prepare('--build');
    expect(npmCalls()).toHaveLength(1);
  });

  test('leaves packages alone that somebody installed after the lock file', async () => {
    await install();
    age('node_modules/.package-lock.json', 10);
    await prepare('--build');
    expect(npmCalls()).toEqual([]);
  });

  test('does not install again for a new time on the same lock file', async () => {
    await prepare('--build');
    age('node_modules/.package-lock.json', -10);
    await prepare('--build');
    expect(npmCalls()).toHaveLength(1);
  });

  test('never installs through a link: npm ci would empty a folder that belongs to others', async () => {
    await write('others/.package-lock.json', '{}');
    await write('others/precious.js', '');
    await symlink(join(project, 'others'), join(project, 'node_modules'));
    age('others/.package-lock.json', -10);
    const { code, output } = await prepare('--build');
    expect(code).toBe(1);
    expect(output).toContain('is a link to');
    expect(npmCalls()).toEqual([]);
    expect(existsSync(join(project, 'others', 'precious.js'))).toBe(true);
  });
});

/** Starts a program through `prepare`; ready when it says so: on a busy machine the build reports its progress first. */
async function startUp(): Promise<{
  child: ChildProcessByStdio<null, Readable, null>;
  output: () => string;
}> {
  const script = join(project, 'standalone', 'prepare.mjs');
  const child = spawn(process.execPath, [script, 'one/one'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  while (!output.includes('up\n')) {
    if (child.exitCode !== null) throw new Error(`the program ended before it was up: ${output}`);
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit')]);
  }
  return { child, output: () => output };
}

describe('running', () => {
  beforeEach(install);

  test('hands on the arguments, from any folder, and ends with the exit code of the program', async () => {
    await write(
      'one/one.ts',
      "declare const process: any; console.log(process.argv.slice(2).join('+')); process.exit(7);\n",
    );
    await expect(prepare('one/one', 'a', 'b')).resolves.toEqual({
      code: 7,
      output: expect.stringMatching(/^(Compiling.*\n)*a\+b\n$/) as string,
    });
  });

  test('hands a signal on and waits for the program to end', async () => {
    const source = `declare const process: any, setInterval: any;
      process.on('SIGTERM', () => { console.log('stopped'); process.exit(0); });
      setInterval(() => {}, 1000);
      console.log('up');\n`;
    await write('one/one.ts', source);
    const { child, output } = await startUp();
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await expect(closed).resolves.toEqual([0, null]);
    expect(output()).toMatch(/up\nstopped\n$/);
  });

  test('a program notices when the one that started it is killed', async () => {
    const file = join(project, 'noticed');
    const source = `declare const process: any, setInterval: any;
      const { writeFileSync } = process.getBuiltinModule('node:fs');
      process.on('disconnect', () => { writeFileSync(${JSON.stringify(file)}, ''); process.exit(0); });
      setInterval(() => {}, 1000);
      console.log('up');\n`;
    await write('one/one.ts', source);
    const { child } = await startUp();
    child.kill('SIGKILL');
    // The program holds the other end of this pipe: it closes with the program.
    await once(child.stdout, 'close');
    expect(existsSync(file)).toBe(true);
  });
});
