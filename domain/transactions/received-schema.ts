import { z } from 'zod';
import { PartyView } from '../parties/party.ts';
import { shown } from '../schema-fields.ts';

/** What a message said, beside the tenant's own record that it completed. */
export const ReceivedView = z
  .strictObject({
    receivedAt: z.iso.datetime().describe('When the latest version of the message arrived.'),
    takenBackAt: shown.describe(
      'When the originator VASP withdrew the message; the record is open for another one.',
    ),
    asset: z.string(),
    amount: z.number().nullable(),
    amountDecimal: shown,
    blockchainInfo: z.strictObject({
      blockchain: shown,
      transactionHash: shown,
      origin: shown,
      originTag: shown,
      destinationTag: shown,
    }),
    vaspInfo: z.strictObject({
      beneficiaryVaspName: shown,
      beneficiaryVaspEmail: shown,
      beneficiaryVaspExtraInfo: shown,
      originatorVaspName: shown,
      originatorVaspEmail: shown,
    }),
    originator: PartyView.nullable(),
    beneficiary: PartyView.nullable(),
    additionalOriginators: z.array(PartyView),
    differences: z
      .array(z.string())
      .describe(
        'JSON Pointers to the fields of the transaction that the message contradicts. A field that only one of the ' +
          'two has is no difference.',
      ),
  })
  .meta({
    id: 'ReceivedVersion',
    description:
      "What the originator VASP sent, beside the tenant's own record that its message completed. Null for other records.",
  });
export type ReceivedView = z.infer<typeof ReceivedView>;
