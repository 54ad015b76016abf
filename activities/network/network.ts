import type { RoutedCounterparty } from '../../domain/transactions/lifecycle/route.ts';
import type { AnswerReminder } from '../../db/lifecycle/remind-to-answer.ts';
import type { TransactionJudgement } from '../../db/lifecycle/settle-screening.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';

/** A Travel Rule network that carries messages to beneficiary VASPs. */
export interface MessageNetwork {
  /**
   * Delivers an outgoing message once, however often it is called. Null when the record does not wait for delivery
   * any more, SCREEN_AGAIN when its screening does not count any more. Throws CounterpartyUnreachable when a later
   * attempt may succeed, and SendFirst when the other side has to be called before.
   */
  deliver(message: OutgoingMessage): Promise<DeliveryResult | 'SCREEN_AGAIN' | null>;
  /** Reminds the beneficiary VASP of a delivered message without an answer, when that is due; on networks that have reminders. */
  remind?(record: TransactionRecord, now: Date): Promise<AnswerReminder>;
}

interface OutgoingMessage {
  record: TransactionRecord;
  counterparty: RoutedCounterparty;
  /** The sender's own screening, stored with the delivery. Left out for a record that was screened before. */
  screened?: TransactionJudgement;
  /** Set if the other side has just been called in vain. */
  isSendFailed?: boolean;
  now: Date;
}

interface DeliveryResult {
  record: TransactionRecord;
  /** The receiver's record if it is in this deployment. */
  incoming: TransactionRecord | null;
  outbox: OutboxEntry[];
}

export type MessageNetworks = Record<RoutedCounterparty['network'], MessageNetwork>;

/** The beneficiary VASP is known but does not accept the message now: it is suspended, or does not answer. */
export class CounterpartyUnreachable extends Error {}

/** The message has to be sent to its receiver by `sendInquiry` before the delivery is stored. */
export class SendFirst extends Error {}
