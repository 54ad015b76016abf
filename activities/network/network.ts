import type { RoutedCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';

/** A Travel Rule network that carries messages to beneficiary VASPs. */
export interface MessageNetwork {
  /**
   * Delivers an outgoing message once, however often it is called. Null when the record does not wait for delivery any
   * more. Throws CounterpartyUnreachable when it is to be tried again later.
   * `incoming` is the receiver's record where that is in this deployment too.
   */
  deliver(
    record: TransactionRecord,
    counterparty: RoutedCounterparty,
    now: Date,
  ): Promise<{ record: TransactionRecord; incoming: TransactionRecord | null; outbox: OutboxEntry[] } | null>;
}

export type MessageNetworks = Record<RoutedCounterparty['network'], MessageNetwork>;

/** The beneficiary VASP is known but does not take the message now. */
export class CounterpartyUnreachable extends Error {}
