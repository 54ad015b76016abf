import { isPassedUnscreened } from '../../domain/transactions/screening-due.ts';
import type { Queryable } from '../postgres.ts';
import { isBehindLists } from '../transactions/compared-lists.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { hasNewName } from './new-counterparty.ts';

interface ReleasedMessage {
  open: OpenTransaction;
  /** The entity whose mailbox has got the message, null where nobody knows it; undefined for a message that goes another way. */
  mailedTo: string | null | undefined;
}

/**
 * Whether a list has got a new version since the screening that let the message pass: one that a reviewer has released, or one
 * that was mailed when it was cleared and is opened now; of the latter, also whether its VASP has got a name. Others that are
 * cleared come with their screening.
 */
export async function isOvertaken(tx: Queryable, { open, mailedTo }: ReleasedMessage): Promise<boolean> {
  const { record } = open;
  const isAsked = mailedTo !== undefined || record.screeningState === 'REVIEWED';
  if (!isAsked || isPassedUnscreened(record)) return false;
  return (await isBehindLists(tx, record)) || (await hasNewName({ pool: tx }, open, mailedTo ?? null));
}
