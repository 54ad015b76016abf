import { writeIvms101 } from '../../ivms101/write-ivms101.ts';
import type { Party } from '../../parties/party.ts';
import type { TransactionRecord } from '../../transactions/record.ts';

/** One message of an export as IVMS101. Of a sealed record there is no payload: its tenant must not see the parties. */
export function ivms101Entry(record: TransactionRecord, ownName: string): Record<string, unknown> {
  const { id, reference, direction, asset, amount, blockchain, transactionHash, sealed } = record;
  const transfer = { transactionId: id, reference, direction, asset, amount, blockchain, transactionHash };
  return { ...transfer, sealed, IVMS101: sealed ? null : payloadOf(record, ownName) };
}

function payloadOf({ direction, personal }: TransactionRecord, ownName: string): Record<string, unknown> {
  const { originatorVaspName, beneficiaryVaspName } = personal.vaspInfo;
  const isSent = direction === 'OUTGOING';
  const { payload } = writeIvms101(
    {
      originator: personal.originator,
      additionalOriginators: personal.additionalOriginators,
      beneficiary: personal.beneficiary,
      additionalBeneficiaries: [],
      originatingVasp: vasp(isSent ? ownName : originatorVaspName),
      beneficiaryVasp: vasp(isSent ? beneficiaryVaspName : ownName),
    },
    '2023',
  );
  return payload;
}

function vasp(name: string | null): Party | null {
  return name === null ? null : { type: 'LEGAL', name };
}
