import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyMessage } from 'viem';
import { exportLine } from '../../standalone/export-line.ts';
import { projectRoot } from '../../standalone/project-root.ts';

type Variables = Record<string, string>;

/** Runs a compiled command as npm does. */
function run(command: string, args: string[], variables: Variables = {}) {
  const file = join(projectRoot, 'dist', 'standalone', `${command}.js`);
  const env = { PATH: process.env['PATH'], ...variables };
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8', env });
  return { status, stdout: stdout.trim(), stderr: stderr.trim() };
}

describe('npm run sign', () => {
  const WALLET_KEY = `0x${'ab'.repeat(32)}`;

  test('makes a key, another one each time', () => {
    const [one, two] = [run('sign', ['--new-key']), run('sign', ['--new-key'])];
    expect([one.status, one.stdout]).toEqual([0, expect.stringMatching(/^0x[0-9a-f]{64}$/)]);
    expect(two.stdout).not.toBe(one.stdout);
  });

  test('signs a text to the letter, as a browser wallet does', async () => {
    const { stdout: address } = run('sign', ['--address'], { WALLET_KEY });
    const message = ' I own “this”.\n\nNonce: $x ';
    const { status, stdout } = run('sign', [message], { WALLET_KEY });
    expect(status).toBe(0);
    const proof = { address: address as `0x${string}`, message, signature: stdout as `0x${string}` };
    expect(await verifyMessage(proof)).toBe(true);
  });

  test.each<[string, string[], Variables]>([
    ['no text', [], {}],
    ['an address and a text', ['--address', 'a'], { WALLET_KEY }],
    ['two texts', ['a', 'b'], { WALLET_KEY }],
    ['an unknown option', ['--key'], { WALLET_KEY }],
    ['no key', ['a'], {}],
    ['half a key', ['a'], { WALLET_KEY: '0xabcd' }],
  ])('%s: says what is expected, and prints no signature', (_what, args, variables) => {
    const { status, stdout, stderr } = run('sign', args, variables);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^usage: npm run -s sign|^WALLET_KEY: a private key/);
    // A key that was mistyped is a key all the same.
    expect(stderr).not.toContain('0xabcd');
  });
});

describe('npm run env', () => {
  const RUNNING = {
    apiUrl: 'http://127.0.0.1:3000',
    operatorKey: 'wb_operator_x',
    tenants: [
      { id: '1', name: 'Alpine Exchange', apiKey: 'wb_a-_1', webhookSecret: 'whsec_a' },
      { id: '2', name: 'Harbour Custody', apiKey: 'wb_h', webhookSecret: 'whsec_h' },
    ],
  };
  const LINE = "export API='http://127.0.0.1:3000' OPERATOR='wb_operator_x' ALPINE='wb_a-_1' HARBOUR='wb_h'";
  let home: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'waybill-env-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  test('prints one line for a shell: the one that npm start prints', () => {
    writeFileSync(join(home, 'standalone.json'), JSON.stringify(RUNNING));
    expect(run('env', [], { WAYBILL_HOME: home })).toEqual({ status: 0, stdout: LINE, stderr: '' });
    expect(exportLine(RUNNING)).toBe(LINE);
  });

  test('without a running system it prints nothing for the shell, and says why', () => {
    const { status, stdout, stderr } = run('env', [], { WAYBILL_HOME: home });
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toContain('Waybill is not running');
  });
});
