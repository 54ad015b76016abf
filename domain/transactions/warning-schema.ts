import { z } from 'zod';

const WARNING_CODES = ['DUPLICATE_TRANSFER'] as const;

/** Something in a request that was accepted and is probably a mistake. */
export const TransactionWarning = z
  .strictObject({
    code: z.enum(WARNING_CODES),
    pointer: z.string().describe('JSON Pointer to the field of the request.'),
    message: z.string(),
  })
  .meta({ id: 'TransactionWarning' });
export type TransactionWarning = z.infer<typeof TransactionWarning>;
