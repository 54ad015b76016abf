import { listenToTabs } from './other-tabs.ts';
import type { HostedPage } from './page.ts';

const POLL_MS = 5_000;
const SLOWEST_MS = 60_000;
const CLOCK_MS = 20_000;

/**
 * Reads the verification again and again while it can change: less often while nothing answers, not at all while the page is
 * hidden, and at once when it is seen again, the connection is back or another tab has changed it.
 */
export function keepFresh(page: HostedPage): void {
  let waitMs = POLL_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = () => {
    clearTimeout(timer);
    if (mayChange(page)) timer = setTimeout(() => void now(), waitMs);
  };
  const now = async () => {
    clearTimeout(timer);
    if (!document.hidden && page.state.busy === null) await page.refresh();
    waitMs = page.state.isOffline ? Math.min(2 * waitMs, SLOWEST_MS) : POLL_MS;
    later();
  };
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && mayChange(page)) void now();
  });
  addEventListener('online', () => void now());
  listenToTabs(
    () => page.state.verification?.id,
    () => void now(),
  );
  setInterval(() => page.keepTime(), CLOCK_MS);
  later();
}

function mayChange({ state: { verification, end } }: HostedPage): boolean {
  if (end === 'UNKNOWN' || end === 'WITHDRAWN') return false;
  if (!verification || end === 'CLOSED') return true;
  const isReviewed = verification.additionalSteps.some(({ status }) => status === 'ACTION_REQUIRED');
  return verification.status === 'PENDING' || verification.status === 'ACTION_REQUIRED' || isReviewed;
}
