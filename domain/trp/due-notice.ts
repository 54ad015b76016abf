import type { TransactionRecord } from '../transactions/record.ts';
import { canceledText, rejectedText } from './write-answers.ts';

/** The facts of a TRP transfer that decide what the other VASP is told next. */
interface TransferFacts {
  direction: 'OUTGOING' | 'INCOMING';
  /** The latest that it was told. */
  told: string | null;
  peerCallback: string | null;
  /** Whether the message goes another way now: whatever became of it, nothing comes of this inquiry. */
  isReplaced: boolean;
}

export interface TrpNotice {
  callback: string;
  body: Record<string, unknown>;
  /** As it is noted once the other VASP has it. */
  told: string;
}

type GatewayRecord = Pick<
  TransactionRecord,
  'status' | 'statusReasonCode' | 'transactionHash' | 'destination'
>;

/**
 * What the other VASP has to be told of the state of its record, which the gateway keeps: of an inquiry that it sent our
 * answer, of one that it approved the transaction, or that there is none. Null where it knows everything. `confirmationUrl`
 * is where it confirms what we approve.
 */
export function dueNotice(
  transfer: TransferFacts,
  record: GatewayRecord,
  confirmationUrl: string,
): TrpNotice | null {
  const { callback, content } = { callback: transfer.peerCallback, content: contentOf(transfer, record) };
  if (callback === null || content === null || content.told === transfer.told) return null;
  const body = content.told === 'APPROVED' ? approval(record, confirmationUrl) : content.body;
  return { callback, body, told: content.told };
}

function contentOf(
  { direction, told, isReplaced }: TransferFacts,
  record: GatewayRecord,
): Omit<TrpNotice, 'callback'> | null {
  const { status, transactionHash } = record;
  if (direction === 'INCOMING') {
    // The first answer counts.
    if (told !== null) return null;
    if (status === 'CONFIRMED') return { told: 'APPROVED', body: {} };
    return status === 'DECLINED' ? { told: 'REJECTED', body: { rejected: rejectedText(record) } } : null;
  }
  if (isReplaced) return { told: 'CANCELED', body: { canceled: canceledText({ statusReasonCode: null }) } };
  if (status === 'CANCELLED') return { told: 'CANCELED', body: { canceled: canceledText(record) } };
  return transactionHash === null
    ? null
    : { told: `TXID:${transactionHash}`, body: { txid: transactionHash } };
}

function approval({ destination }: GatewayRecord, confirmationUrl: string): TrpNotice['body'] {
  return { approved: { address: destination, callback: confirmationUrl } };
}
