import { isPassedUnscreened } from '../../domain/transactions/screening-due.ts';
import type { OpenNetworks } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { isBehindLists } from '../transactions/compared-lists.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { isBehindScreening } from './new-counterparty.ts';

/**
 * Whether a list has got a new version, or the directory another VASP or name for the message, since the screening that let it
 * pass: one that a reviewer has released, or one that was mailed when it was cleared and is opened now. So is one that was mailed
 * without a screening and can have one now. Others that are cleared come with their screening. One that was just let pass without a
 * screening goes to the VASP that its reviewer has seen, and to no other.
 */
export async function isOvertaken(
  db: OpenNetworks,
  tx: Queryable,
  { open, isMailed }: { open: OpenTransaction; isMailed: boolean },
): Promise<boolean> {
  const { record } = open;
  const isAsked = isMailed || record.screeningState === 'REVIEWED';
  if (!isAsked) return false;
  const isPassed = isPassedUnscreened(record);
  if (!isPassed && (await isBehindLists(tx, record))) return true;
  const behind = await isBehindScreening(db, tx, open);
  return behind === 'ANEW' || (behind === 'NAME' && !isPassed);
}
