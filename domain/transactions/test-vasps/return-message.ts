import type { EventDraft } from '../../events/event.ts';
import { INBOUND_ADDRESS } from '../../tenants/test-vasps.ts';
import type { TransactionRecord } from '../record.ts';
import { testVaspMessage } from './test-vasp-message.ts';

interface ReturnInput {
  id: string;
  testVasp: { id: string; name: string };
  now: Date;
}

const ORIGINATOR = { type: 'NATURAL', name: 'Greta Lindqvist', country: 'SE' } as const;

/** A message of a test VASP about coins that come back: to the origin of a message that it received, for its originator. */
export function returnMessage(
  sent: TransactionRecord,
  { id, testVasp, now }: ReturnInput,
): { record: TransactionRecord; event: EventDraft } {
  const { originator, vaspInfo } = sent.personal;
  const info = {
    ...(sent.blockchain !== null && { blockchain: sent.blockchain }),
    origin: sent.destination,
    originType: 'CUSTODIAL',
    destination: sent.origin ?? INBOUND_ADDRESS,
    ...(sent.originTag !== null && { destinationTag: sent.originTag }),
    destinationType: 'CUSTODIAL',
  } as const;
  const transfer = {
    direction: 'INCOMING' as const,
    asset: sent.asset,
    amount: sent.amount,
    blockchainInfo: info,
    originator: ORIGINATOR,
    ...(originator && { beneficiary: originator }),
  };
  const receiver = { name: vaspInfo.originatorVaspName ?? '' };
  return testVaspMessage(transfer, { id, testVasp, receiver, now, price: undefined });
}
