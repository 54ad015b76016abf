/**
 * The wait that a Retry-After header asks for, in milliseconds and at most `maxMs`: whole seconds, or a date in GMT (RFC
 * 9110, 10.2.3). A date in the past means now. Null without the header, and for anything else in it.
 */
export function retryAfterMs(
  header: string | string[] | undefined,
  nowMs: number,
  maxMs: number,
): number | null {
  const [text] = [header].flat();
  if (text === undefined) return null;
  const waitMs = waitOf(text, nowMs);
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(waitMs, 0), maxMs);
}

function waitOf(text: string, nowMs: number): number {
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  return /^[A-Z].* GMT$/.test(text) ? Date.parse(text) - nowMs : NaN;
}
