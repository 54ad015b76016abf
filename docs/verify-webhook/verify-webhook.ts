import { createHmac, timingSafeEqual } from 'node:crypto';

const TOLERANCE_MS = 5 * 60_000;

/** Whether the `Service-Signature` header signs these raw body bytes with the secret, at most five minutes ago. */
export function isGenuine(secret: string, header: string, rawBody: Buffer, nowMs = Date.now()): boolean {
  const [, time = '', signature = ''] = /^t=(\d{1,16}),s=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac('sha256', secret).update(`${time}.`).update(rawBody).digest();
  const given = Buffer.from(signature, 'hex');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
  return Math.abs(nowMs - Number(time)) <= TOLERANCE_MS;
}
