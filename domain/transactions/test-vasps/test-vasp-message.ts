import { z } from 'zod';
import { invalidField } from '../../errors.ts';
import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { FiatPrice } from '../fiat.ts';
import { newTransaction } from '../new-transaction.ts';
import type { TransactionRecord } from '../record.ts';
import { CreateTransactionBody } from '../schema.ts';

/** A message for a test VASP to send, written as the record that the caller wants to receive. */
export const TestVaspMessageBody = CreateTransactionBody.extend({
  direction: z.literal('INCOMING').default('INCOMING'),
}).meta({ id: 'TestVaspMessage' });

/** What a test VASP sends; the amount is null where it is not known. */
type TestVaspTransfer = Omit<z.infer<typeof TestVaspMessageBody>, 'amount'> & { amount: string | null };

interface TestMessageInput {
  id: string;
  testVasp: { id: string; name: string };
  receiver: { name: string };
  now: Date;
  price: FiatPrice | undefined;
}

/** The test VASP's own new record of a message to `receiver`. Throws validation_failed like `newTransaction`. */
export function testVaspMessage(
  body: TestVaspTransfer,
  { id, testVasp, receiver, now, price }: TestMessageInput,
): { record: TransactionRecord; event: EventDraft } {
  if (body.blockchainInfo.destinationType !== 'CUSTODIAL') {
    const pointer = '/blockchainInfo/destinationType';
    throw invalidField(pointer, 'not_allowed', 'a message only reaches a CUSTODIAL destination');
  }
  const { originatorVaspName: _, originatorVaspEmail = null, ...given } = body.vaspInfo ?? {};
  const vaspInfo = { ...given, beneficiaryVaspName: given.beneficiaryVaspName ?? receiver.name };
  const message = newTransaction(
    // A reference never leaves its tenant, and the references of different callers must not collide at the test VASP.
    { ...body, direction: 'OUTGOING', reference: undefined, vaspInfo },
    {
      id,
      tenant: { ...testVasp, email: originatorVaspEmail },
      actor: SYSTEM,
      now,
      price,
      isOfCounterparty: true,
    },
  );
  // A test VASP screens nothing.
  return { ...message, record: { ...message.record, screeningState: null, screeningDueSince: null } };
}
