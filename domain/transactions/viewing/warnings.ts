import { z } from 'zod';
import { namelessParties } from '../completeness.ts';
import type { TransactionRecord } from '../record.ts';

const WARNING_CODES = ['DUPLICATE_TRANSFER', 'INCOMPLETE_PARTY'] as const;

/** Something in a request that was accepted and is probably a mistake. */
export const TransactionWarning = z
  .strictObject({
    code: z.enum(WARNING_CODES),
    pointer: z.string().describe('JSON Pointer to the field of the request.'),
    message: z.string(),
  })
  .meta({ id: 'TransactionWarning' });
export type TransactionWarning = z.infer<typeof TransactionWarning>;

/** The warnings of a new record that will be sent as a message without the name of a party. */
export function incompletePartyWarnings(record: TransactionRecord): TransactionWarning[] {
  return namelessParties(record).map((party) => ({
    code: 'INCOMPLETE_PARTY',
    pointer: `/${party}/name`,
    message: `The message does not name the ${party}.`,
  }));
}
