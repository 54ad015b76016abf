import { z } from 'zod';
import type { Actor } from '../events/actor.ts';
import { text } from '../schema-fields.ts';
import { NO_CHANGE, type PairChange } from './change.ts';
import type { TransactionRecord } from './record.ts';

/** The body of `PUT /transactions/{id}/legal-hold`. */
export const LegalHoldBody = z
  .strictObject({
    hold: z.boolean().describe('Whether the record is kept beyond its retention.'),
    reason: text(2_000).describe('Why, such as the file number of a court; stored encrypted.'),
  })
  .meta({ id: 'SetLegalHold' });
export type LegalHoldBody = z.infer<typeof LegalHoldBody>;

/** Whether a legal hold is on a transaction. */
export const LegalHold = z
  .strictObject({
    transactionId: z.uuid().describe('The transaction.'),
    hold: z.boolean().describe('Whether the record is kept beyond its retention.'),
    reason: z.string().nullable().describe('Why; null without a hold.'),
    setAt: z.iso.datetime().nullable().describe('Since when; null without a hold.'),
  })
  .meta({ id: 'LegalHold' });
type LegalHold = z.infer<typeof LegalHold>;

export function viewLegalHold({ id, legalHoldAt, personal }: TransactionRecord): LegalHold {
  return {
    transactionId: id,
    hold: legalHoldAt !== null,
    reason: legalHoldAt === null ? null : (personal.legalHoldReason ?? null),
    setAt: legalHoldAt?.toISOString() ?? null,
  };
}

/** Keeps a record beyond its retention, or no longer. No version, status or webhook of it depends on that. */
export function setLegalHold(
  own: TransactionRecord,
  { hold, reason }: LegalHoldBody,
  { actor, now }: { actor: Actor; now: Date },
): PairChange {
  if ((own.legalHoldAt !== null) === hold && (!hold || own.personal.legalHoldReason === reason))
    return NO_CHANGE;
  const { legalHoldReason: _before, ...personal } = own.personal;
  return {
    own: {
      after: {
        ...own,
        legalHoldAt: hold ? (own.legalHoldAt ?? now) : null,
        personal: hold ? { ...personal, legalHoldReason: reason } : personal,
      },
      events: [
        hold
          ? { type: 'LEGAL_HOLD_SET', message: 'The record is kept beyond its retention.', actor }
          : { type: 'LEGAL_HOLD_LIFTED', message: 'The record is kept no longer than its retention.', actor },
      ],
      notify: false,
      wakesWorkflow: false,
    },
    counterpart: null,
    forwarded: null,
  };
}
