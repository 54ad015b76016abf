import type { RoutedCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import type { Settlement } from '../../db/lifecycle/settle-screening.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';

/** A Travel Rule network that carries messages to beneficiary VASPs. */
export interface MessageNetwork {
  /**
   * Delivers an outgoing message once, however often it is called. Null when the record does not wait for delivery
   * any more, SCREEN_AGAIN when its screening does not count any more. Throws CounterpartyUnreachable when a later
   * attempt may succeed.
   */
  deliver(message: OutgoingMessage): Promise<DeliveryResult | 'SCREEN_AGAIN' | null>;
}

interface OutgoingMessage {
  record: TransactionRecord;
  counterparty: RoutedCounterparty;
  /** The sender's own screening, stored with the delivery. Left out for a record that was screened before. */
  screened?: Settlement;
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
