import { z } from 'zod';

const WARNING_CODES = [
  'DUPLICATE_TRANSFER',
  'INCOMPLETE_PARTY',
  'UNKNOWN_BLOCKCHAIN',
  'UNUSUAL_HASH',
] as const;

/** Something in a request that was accepted and is probably a mistake. */
export const TransactionWarning = z
  .strictObject({
    code: z
      .enum(WARNING_CODES)
      .describe(
        'UNKNOWN_BLOCKCHAIN: the name is not known, and close to one that is. UNUSUAL_HASH: the hash has not the form of ' +
          'the blockchain that the asset implies.',
      ),
    pointer: z.string().describe('JSON Pointer to the field of the request.'),
    message: z.string(),
  })
  .meta({ id: 'TransactionWarning' });
export type TransactionWarning = z.infer<typeof TransactionWarning>;
