import { access, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { signatureKeyOf, type SignatureKey } from '../db/vault/compact-jws.ts';
import type { BrokenLink } from '../evidence/broken-link.ts';
import { verifyEvidence, type WholeEvidence } from '../evidence/verify-evidence.ts';

const USAGE = `Usage: npm run verify-evidence -- FILE --key PEM
FILE is an archive of GET /transactions/{id}/evidence, PEM a file with the public key of the deployment that made it, as
in \`publicKey\` of GET /tenant/me/seals; it may have several keys.`;

const NO_KEY = `No key was given: the archive fits the key that it names itself, which anybody could have made. Compare that key with
the one that the deployment has published, and give it by --key.`;

const PEM = /-----BEGIN PUBLIC KEY-----[^-]*-----END PUBLIC KEY-----/g;

/**
 * `npm run verify-evidence -- FILE --key PEM`: needs no database and no settings. Exit code 0 when the archive is whole and
 * signed by the key; 1 when it is not, with the first broken link; 2 when it could not be checked, or not by a key.
 */
process.exitCode = await main();

async function main(): Promise<number> {
  const given = readArguments();
  if (!given) return unusable(USAGE);
  try {
    await access(given.file);
    const keys = given.key === undefined ? null : await readKeys(given.key);
    if (keys?.length === 0) return unusable('The file of the key has no public key in PEM.');
    const { whole, broken } = await verifyEvidence(given.file, keys);
    if (broken) return print(brokenText(broken), 1);
    print(wholeText(whole, { isProven: keys !== null }), 0);
    return keys === null ? unusable(NO_KEY) : 0;
  } catch (error) {
    return unusable(error instanceof Error ? error.message : 'The archive cannot be read.');
  }
}

function readArguments(): { file: string; key: string | undefined } | null {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { key: { type: 'string' } },
    });
    const [file, ...more] = positionals;
    return file !== undefined && more.length === 0 ? { file, key: values.key } : null;
  } catch {
    return null;
  }
}

async function readKeys(path: string): Promise<SignatureKey[]> {
  const text = await readFile(path, 'utf8');
  return [...text.matchAll(PEM)].map(([pem]) => signatureKeyOf(pem));
}

function brokenText({ fault, path, line }: BrokenLink): string {
  const place = path === null ? 'the archive' : line === null ? path : `${path}, line ${line}`;
  return `BROKEN: ${place}: ${fault}.`;
}

function wholeText(whole: WholeEvidence, { isProven }: { isProven: boolean }): string {
  const { manifest, keyId, events, messages, seals } = whole;
  const { transactionId, tenantName, tenantId, createdAt, environment, isHidden, files } = manifest;
  const lines = [
    `Evidence of transaction ${transactionId} of ${tenantName} (${tenantId}), ${environment}, made at ${createdAt}.`,
    `${isProven ? `WHOLE by key ${keyId}` : `UNPROVEN, fits its own key ${keyId}`}: ${files.length} files, ${events} log entries, ${messages} versions of the message.`,
    `Daily seals compared: ${daysText(seals.compared)}.`,
  ];
  if (seals.open.length > 0)
    lines.push(
      `Not proven by a daily seal: the entries of ${daysText(seals.open)}. The day was not sealed yet, it has too many ` +
        'records, or its seal has another key.',
    );
  if (manifest.logs.some(({ isAnchored }) => isAnchored === undefined))
    lines.push(
      'It was made by a version that did not state whether the deployment had anchored the ends of the logs.',
    );
  if (isHidden) lines.push('Party data was hidden from the tenant: it has no contents of messages.');
  for (const id of manifest.deletedVerifications)
    lines.push(`Verification ${id}, on which the transaction rests, was deleted before.`);
  return lines.join('\n');
}

function daysText(days: readonly string[]): string {
  return days.length === 0 ? 'none' : days.join(', ');
}

/** An archive may contain anything, control characters of a terminal included. */
function print(text: string, code: number): number {
  console.log(printable(text));
  return code;
}

function printable(text: string): string {
  return text.replace(/[^\n\P{C}]/gu, '?');
}

function unusable(text: string): number {
  console.error(printable(text));
  return 2;
}
