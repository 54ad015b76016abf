import type { HostedVerification } from './hosted-verification.ts';
import type { HostedPage } from './page.ts';
import { isFramed } from './page-token.ts';
import { isDone } from './screens.ts';

const LEAVES_AFTER_S = 5;
/** The name of the message to the page around a frame. */
const MESSAGE = 'waybill.verification';

/** The way back, with what has happened. The tenant trusts its webhook, not this: anybody can write it into an address. */
export function wayBack({ redirectUrl, id, status }: HostedVerification): string | null {
  if (redirectUrl === null) return null;
  const address = new URL(redirectUrl);
  address.searchParams.set('verificationId', id);
  address.searchParams.set('status', status);
  return address.href;
}

/** What the page around the frame was told last. */
let told = '';
let isLeaving = false;

/**
 * Once the owner has nothing left to do: goes back to the tenant after some seconds, if that happened while the page was open
 * and it is in no frame. The page around a frame is told of each status; only origins of the tenant can be around it.
 */
export function leaveWhenDone(page: HostedPage): void {
  const { verification, hasJustEnded } = page.state;
  if (!verification) return;
  if (isFramed()) tell(verification);
  const target = wayBack(verification);
  if (isFramed() || isLeaving || !hasJustEnded || !isDone(verification) || target === null) return;
  isLeaving = true;
  countDown(page, LEAVES_AFTER_S, target);
}

function tell({ id, status }: HostedVerification): void {
  if (told === status) return;
  told = status;
  window.parent.postMessage({ type: MESSAGE, verificationId: id, status }, '*');
}

function countDown(page: HostedPage, seconds: number, target: string): void {
  page.set({ leavesIn: seconds });
  const timer = setInterval(() => {
    const { leavesIn } = page.state;
    if (leavesIn === null) clearInterval(timer);
    else if (leavesIn > 1) page.set({ leavesIn: leavesIn - 1 });
    else {
      clearInterval(timer);
      location.assign(target);
    }
  }, 1_000);
}
