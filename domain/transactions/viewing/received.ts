import { decimalToNumber } from '../../decimal.ts';
import { viewParty } from '../../parties/party.ts';
import { differencesOf } from '../exchanging/received-version.ts';
import type { ReceivedView } from '../received-schema.ts';
import type { ReceivedVersion, TransactionRecord } from '../record.ts';

/** The received version as the tenant reads it. */
export function viewReceived(record: TransactionRecord, received: ReceivedVersion): ReceivedView {
  const { filled: _filled, namesOtherVasp: _other, ...shown } = received;
  const { amount, originator, beneficiary, additionalOriginators, ...sent } = shown;
  return {
    ...sent,
    vaspInfo: { beneficiaryTravelAddress: null, ...sent.vaspInfo },
    amount: amount === null ? null : decimalToNumber(amount),
    amountDecimal: amount,
    originatorVasp: viewParty(received.originatorVasp ?? null),
    beneficiaryVasp: viewParty(received.beneficiaryVasp ?? null),
    originator: viewParty(originator),
    beneficiary: viewParty(beneficiary),
    additionalOriginators: additionalOriginators.flatMap((party) => viewParty(party) ?? []),
    differences: differencesOf(record, received),
  };
}
