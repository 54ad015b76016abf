import { invalidField } from '../../errors.ts';
import { COUNTERPARTY, type Actor } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { FiatPrice } from '../fiat.ts';
import { newTransaction, type NewTransactionBody } from '../new-transaction.ts';
import type { TransactionRecord } from '../record.ts';

interface CounterpartyMessageInput {
  id: string;
  /** The tenant that stands for the originator VASP, with the name and address of that VASP. */
  sender: { id: string; name: string | null; email: string | null };
  receiver: { name: string };
  actor?: Actor;
  now: Date;
  price: FiatPrice | undefined;
}

/**
 * The OUTGOING record of a VASP that is no tenant of this deployment: what it sends is never refused for the form of its
 * hash, and is screened by the receiver alone. Throws validation_failed like `newTransaction`.
 */
export function counterpartyMessage(
  body: Omit<NewTransactionBody, 'direction'>,
  { id, sender, receiver, actor = COUNTERPARTY, now, price }: CounterpartyMessageInput,
): { record: TransactionRecord; event: EventDraft } {
  if (body.blockchainInfo.destinationType !== 'CUSTODIAL') {
    const pointer = '/blockchainInfo/destinationType';
    throw invalidField(pointer, 'not_allowed', 'a message only reaches a CUSTODIAL destination');
  }
  const { originatorVaspName: _name, originatorVaspEmail: _email, ...given } = body.vaspInfo ?? {};
  const vaspInfo = { ...given, beneficiaryVaspName: given.beneficiaryVaspName ?? receiver.name };
  const message = newTransaction(
    { ...body, direction: 'OUTGOING', vaspInfo },
    { id, tenant: sender, actor, now, price, isOfCounterparty: true },
  );
  return { ...message, record: { ...message.record, screeningState: null, screeningDueSince: null } };
}
