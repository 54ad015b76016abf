import { z } from 'zod';
import { decimalToNumber } from '../../decimal.ts';
import { PartyView, viewParty } from '../../parties/party.ts';
import { shown } from '../../schema-fields.ts';
import { differencesOf } from '../exchanging/received-version.ts';
import type { ReceivedVersion, TransactionRecord } from '../record.ts';

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
type ReceivedView = z.infer<typeof ReceivedView>;

/** The received version as the tenant reads it. */
export function viewReceived(record: TransactionRecord, received: ReceivedVersion): ReceivedView {
  const { filled: _filled, amount, originator, beneficiary, additionalOriginators, ...sent } = received;
  return {
    ...sent,
    amount: amount === null ? null : decimalToNumber(amount),
    amountDecimal: amount,
    originator: viewParty(originator),
    beneficiary: viewParty(beneficiary),
    additionalOriginators: additionalOriginators.flatMap((party) => viewParty(party) ?? []),
    differences: differencesOf(record, received),
  };
}
