import type { RoutedCounterparty } from '../../db/lifecycle/resolve-counterparty.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';

/** A Travel Rule network that carries messages to beneficiary VASPs. */
export interface MessageNetwork {
  /**
   * Delivers an outgoing message once, however often it is called. Null when the record does not wait for delivery
   * any more. Throws CounterpartyUnreachable when a later attempt may succeed. `incoming` is the receiver's record if
   * it is in this deployment.
   */
  deliver(
    record: TransactionRecord,
    counterparty: RoutedCounterparty,
    now: Date,
  ): Promise<{ record: TransactionRecord; incoming: TransactionRecord | null; outbox: OutboxEntry[] } | null>;
}

export type MessageNetworks = Record<RoutedCounterparty['network'], MessageNetwork>;

/** The beneficiary VASP is known but does not accept the message now. */
export class CounterpartyUnreachable extends Error {}
