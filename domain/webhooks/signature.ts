import { equalBytes } from '@noble/curves/utils.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';

const HEADER = /^t=(\d{1,16}),s=([0-9a-f]{64})$/;

/**
 * The signature header of one attempt: `t=<ms>,s=<64 lower-case hex>`. The signature is the HMAC-SHA256, keyed with the
 * secret's UTF-8 bytes, of the timestamp text, a dot and the body. Throws RangeError for an invalid timestamp.
 */
export function signWebhook(secret: string, timestampMs: number, body: Buffer): string {
  if (!Number.isSafeInteger(timestampMs) || timestampMs < 0) {
    throw new RangeError('The time of a signature is a whole number of milliseconds.');
  }
  const timestamp = String(timestampMs);
  return `t=${timestamp},s=${mac(secret, timestamp, body).toString('hex')}`;
}

/** Whether the header signs exactly this body with this secret, and its time is at most `toleranceMs` from `nowMs`. */
export function verifyWebhook(
  secret: string,
  header: string,
  body: Buffer,
  { nowMs, toleranceMs }: { nowMs: number; toleranceMs: number },
): boolean {
  const [, timestamp, signature] = HEADER.exec(header) ?? [];
  if (timestamp === undefined || signature === undefined) return false;
  // The header's own text is signed, not the number it stands for: leading zeros stay part of it.
  // Takes the same time wherever the two differ.
  const genuine = equalBytes(mac(secret, timestamp, body), Buffer.from(signature, 'hex'));
  return genuine && Math.abs(nowMs - Number(timestamp)) <= toleranceMs;
}

function mac(secret: string, timestamp: string, body: Buffer): Buffer {
  const hash = hmac
    .create(sha256, Buffer.from(secret))
    .update(Buffer.from(`${timestamp}.`))
    .update(body);
  return Buffer.from(hash.digest());
}
