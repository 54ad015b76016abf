import type { OpenPortalLink } from '../../db/lifecycle/find-portal-link.ts';
import { isOpenClaim } from '../../domain/claims/state.ts';
import { DomainError } from '../../domain/errors.ts';
import { stateOfLink, type LinkState } from '../../domain/portal/link.ts';
import { isClaimOver, isMessageOver } from '../../domain/portal/over.ts';

const REFUSALS: Record<Exclude<LinkState, 'OPEN'>, string> = {
  EXPIRED: 'This link has expired. Ask for a new one: it goes to the same mailbox.',
  LOCKED: 'This link is locked after too many wrong codes. Ask for a new one: it goes to the same mailbox.',
  REPLACED: 'A newer link was sent to the same mailbox. Use that one, or ask for another.',
};

/** Throws conflict for a link with which no code may be asked for or given. */
export function requireOpen(open: OpenPortalLink, now: Date): void {
  requireNotOver(open, now);
  const state = stateOfLink(open.link, now);
  if (state !== 'OPEN') throw new DomainError('conflict', REFUSALS[state]);
}

/** Throws conflict for a link that leads to nothing any more. */
export function requireNotOver(open: OpenPortalLink, now: Date): void {
  if (!isOver(open, now)) return;
  const text =
    open.kind === 'CLAIM'
      ? 'This question is over: no answer is expected any more.'
      : 'The sender has withdrawn what this link leads to.';
  throw new DomainError('conflict', text);
}

/**
 * Whether a link leads to nothing any more: the message or claim ended before anybody opened it. A claim that has ended after
 * that can be read as long as the link counts, and takes no new link.
 */
export function isOver(open: OpenPortalLink, now: Date): boolean {
  if (open.kind === 'TRANSACTION') return isMessageOver(open.record);
  return isClaimOver(open.record) || (!isOpenClaim(open.record) && stateOfLink(open.link, now) !== 'OPEN');
}
