import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isGenuine } from '../../docs/verify-webhook/verify-webhook.ts';
import { verifyWebhook } from '../../domain/webhooks/signature.ts';
import { projectRoot } from '../../standalone/project-root.ts';

const folder = join(projectRoot, 'docs', 'verify-webhook');

/** A webhook of the real product as it arrived; webhook-examples.full.test.ts records it. */
const recorded = JSON.parse(readFileSync(join(folder, 'recorded-request.json'), 'utf8')) as {
  secret: string;
  headers: Record<string, string>;
  body: string;
};
const signature = recorded.headers['service-signature'] ?? '';
const sentMs = Number(/t=(\d+)/.exec(signature)?.[1]);

interface VerifierCase {
  what: string;
  secret: string;
  header: string;
  body: string;
  nowMs: number;
  genuine: boolean;
}

const sound = { secret: recorded.secret, header: signature, body: recorded.body, nowMs: sentMs + 1_000 };
const refused = (what: string, change: Partial<VerifierCase>): VerifierCase => ({
  ...sound,
  ...change,
  what,
  genuine: false,
});
const CASES: VerifierCase[] = [
  { ...sound, what: 'as it arrived', genuine: true },
  { ...sound, what: 'after five minutes', nowMs: sentMs + 300_000, genuine: true },
  { ...sound, what: 'by a clock that is five minutes behind', nowMs: sentMs - 300_000, genuine: true },
  refused('replayed later', { nowMs: sentMs + 300_001 }),
  refused('from the future', { nowMs: sentMs - 300_001 }),
  refused('with another byte in its body', { body: `${recorded.body} ` }),
  refused('by another secret', { secret: `${recorded.secret}=` }),
  refused('by the decoded secret', {
    secret: Buffer.from(recorded.secret.slice(6), 'base64').toString('latin1'),
  }),
  refused('with another time', { header: signature.replace(/t=\d/, 't=0') }),
  refused('with a time that is another text', { header: signature.replace('t=', 't=0') }),
  refused('with a signature of another length', { header: signature.slice(0, -2) }),
  refused('with a signature in capitals', { header: signature.replace(/s=.*/, (hex) => hex.toUpperCase()) }),
  refused('with more behind the signature', { header: `${signature}\n` }),
  refused('without a signature', { header: '' }),
];
const expected = CASES.map(({ what, genuine }) => [what, genuine]);

function runs(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

/** Runs a program that gets the cases as JSON on its standard input and prints a JSON list of its results. */
function resultsOf(command: string, args: string[], options: { cwd: string; env?: NodeJS.ProcessEnv }) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    ...options,
    input: JSON.stringify(CASES),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const results = JSON.parse(stdout) as boolean[];
  return CASES.map(({ what }, index) => [what, results[index]]);
}

/** A test where the language is installed; otherwise one that is reported as SKIPPED, with a line that says so. */
function testWhere(isInstalled: boolean, language: string, run: () => void): void {
  if (!isInstalled) {
    process.stderr.write(`SKIPPED: ${language} is not installed, so its webhook verifier was not run\n`);
    test.skip(`the ${language} verifier tells genuine webhooks from others`, run);
  } else test(`the ${language} verifier tells genuine webhooks from others`, run, 120_000);
}

test('the product itself agrees', () => {
  const results = CASES.map(({ what, secret, header, body, nowMs }) => [
    what,
    verifyWebhook(secret, header, Buffer.from(body), { nowMs, toleranceMs: 300_000 }),
  ]);
  expect(results).toEqual(expected);
});

test('the TypeScript verifier tells genuine webhooks from others', () => {
  const results = CASES.map(({ what, secret, header, body, nowMs }) => [
    what,
    isGenuine(secret, header, Buffer.from(body), nowMs),
  ]);
  expect(results).toEqual(expected);
});

const PYTHON = `
import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, '.')
from verify_webhook import is_genuine
cases = json.load(sys.stdin)
print(json.dumps([is_genuine(c['secret'], c['header'], c['body'].encode(), c['nowMs']) for c in cases]))
`;

testWhere(runs('python3', '-c', 'import sys; assert sys.version_info >= (3, 10)'), 'Python', () => {
  const env = { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONUTF8: '1' };
  expect(resultsOf('python3', ['-c', PYTHON], { cwd: folder, env })).toEqual(expected);
});

const GO = `package main

import (
	"encoding/json"
	"os"
	"time"

	"example.org/receiver/webhook"
)

func main() {
	var cases []struct {
		Secret, Header, Body string
		NowMs                int64
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	results := []bool{}
	for _, c := range cases {
		results = append(results, webhook.IsGenuine(c.Secret, c.Header, []byte(c.Body), time.UnixMilli(c.NowMs)))
	}
	json.NewEncoder(os.Stdout).Encode(results)
}
`;

testWhere(runs('go', 'version'), 'Go', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'waybill-go-'));
  try {
    mkdirSync(join(cwd, 'webhook'));
    copyFileSync(join(folder, 'verify_webhook.go'), join(cwd, 'webhook', 'verify_webhook.go'));
    writeFileSync(join(cwd, 'go.mod'), 'module example.org/receiver\n\ngo 1.20\n');
    writeFileSync(join(cwd, 'main.go'), GO);
    const env = { ...process.env, GOFLAGS: '-mod=mod', GOPROXY: 'off', GOTOOLCHAIN: 'local' };
    expect(resultsOf('go', ['run', '.'], { cwd, env })).toEqual(expected);
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
});
