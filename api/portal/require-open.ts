import type { Database } from '../../db/database.ts';
import type { OpenPortalLink } from '../../db/lifecycle/find-portal-link.ts';
import { leadsElsewhere } from '../../db/lifecycle/require-current-link.ts';
import { isOpenClaim } from '../../domain/claims/state.ts';
import { DomainError } from '../../domain/errors.ts';
import { stateOfLink } from '../../domain/portal/link.ts';
import { isClaimOver, isMessageOver } from '../../domain/portal/over.ts';
import type { PortalLinkView } from '../../domain/portal/schema.ts';

const REFUSALS: Record<Exclude<PortalLinkView['state'], 'OPEN' | 'ENDED'>, string> = {
  EXPIRED: 'This link has expired. Ask for a new one: it goes to the same mailbox.',
  LOCKED: 'This link is locked after too many wrong codes. Ask for a new one: it goes to the same mailbox.',
  REPLACED: 'A newer link was sent to the same mailbox. Use that one, or ask for another.',
  ELSEWHERE: 'This message goes to its receiver in another way now. Ask its sender.',
};

/** What a link is good for now, as its page shows it. */
export async function stateNow(
  db: Database,
  open: OpenPortalLink,
  now: Date,
): Promise<PortalLinkView['state']> {
  if (isOver(open, now)) return 'ENDED';
  const state = stateOfLink(open.link, now);
  const isMessage = open.kind === 'TRANSACTION';
  return state === 'OPEN' && isMessage && (await leadsElsewhere(db, open)) ? 'ELSEWHERE' : state;
}

/** Throws conflict for a link with which no code may be asked for or given: none is sent to a mailbox that gets nothing. */
export async function requireOpen(db: Database, open: OpenPortalLink, now: Date): Promise<void> {
  requireNotOver(open, now);
  const state = await stateNow(db, open, now);
  if (state !== 'OPEN' && state !== 'ENDED') throw new DomainError('conflict', REFUSALS[state]);
}

/** Throws conflict for a link in whose place none is sent: it leads to nothing any more, or its mailbox gets nothing. */
export async function requireRenewable(db: Database, open: OpenPortalLink, now: Date): Promise<void> {
  requireNotOver(open, now);
  if (open.kind === 'TRANSACTION' && (await leadsElsewhere(db, open)))
    throw new DomainError('conflict', REFUSALS.ELSEWHERE);
}

/** Throws conflict for a link that leads to nothing any more. */
function requireNotOver(open: OpenPortalLink, now: Date): void {
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
function isOver(open: OpenPortalLink, now: Date): boolean {
  if (open.kind === 'TRANSACTION') return isMessageOver(open.record);
  return isClaimOver(open.record) || (!isOpenClaim(open.record) && stateOfLink(open.link, now) !== 'OPEN');
}
