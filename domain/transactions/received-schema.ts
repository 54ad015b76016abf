import { z } from 'zod';
import { PartyView } from '../parties/party.ts';
import { shown } from '../schema-fields.ts';

export const ORIGINATOR_VASP =
  'What the originator VASP says of itself beside its name: other names, LEI, country. Messages by TRP only, else null.';

export const BENEFICIARY_VASP =
  'What the originator VASP says of the beneficiary VASP, where that is more than your name. Names you none of it, the transaction is held for a review (COUNTERPARTY). Messages by TRP only, else null.';

/** What the other VASP said, beside what the tenant's own record has. */
export const ReceivedView = z
  .strictObject({
    receivedAt: z.iso.datetime().describe('When the latest version arrived.'),
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
      beneficiaryTravelAddress: shown,
      originatorVaspName: shown,
      originatorVaspEmail: shown,
    }),
    originatorVasp: PartyView.nullable().describe(ORIGINATOR_VASP),
    beneficiaryVasp: PartyView.nullable().describe(BENEFICIARY_VASP),
    originator: PartyView.nullable(),
    beneficiary: PartyView.nullable(),
    additionalOriginators: z.array(PartyView),
    differences: z
      .array(z.string())
      .describe(
        'JSON Pointers to the fields of the transaction that this contradicts. A field that only one of the ' +
          'two has is no difference.',
      ),
  })
  .meta({
    id: 'ReceivedVersion',
    description:
      "What the other VASP said, beside the tenant's own data: what the originator VASP sent, where its message completed an " +
      'INCOMING record that the tenant had made; what the beneficiary VASP says of the beneficiary of an OUTGOING one, where all ' +
      'else is null. Null for other records.',
  });
export type ReceivedView = z.infer<typeof ReceivedView>;
