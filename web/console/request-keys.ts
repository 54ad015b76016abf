/** The keys of requests that wait for an answer, or whose answer was lost, and when each was first sent. */
const keys = new Map<string, { key: string; sentAt: number }>();

/** Who sends the same later means another act: what was done the first time may have been undone meanwhile. */
const SAME_ACT_MS = 120_000;

/**
 * The Idempotency-Key of a request, which is told by its place and content. Until the request is answered, the same has the same
 * key for two minutes: a person who sends it again, since the connection was lost, gets the answer of what was carried out already.
 */
export function keyOf(request: string): string {
  const now = Date.now();
  const sent = keys.get(request);
  if (sent && now - sent.sentAt < SAME_ACT_MS) return sent.key;
  const key = randomKey();
  keys.set(request, { key, sentAt: now });
  return key;
}

/** The next one is another request, whatever is in it. */
export function forgetKey(request: string): void {
  keys.delete(request);
}

/** `crypto.randomUUID` is missing on pages that come by plain http from another machine. */
export function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}
