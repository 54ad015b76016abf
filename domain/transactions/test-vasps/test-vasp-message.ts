import { z } from 'zod';
import { SYSTEM } from '../../events/actor.ts';
import type { EventDraft } from '../../events/event.ts';
import type { FiatPrice } from '../fiat.ts';
import { counterpartyMessage } from '../exchanging/counterparty-message.ts';
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
  return counterpartyMessage(
    // A reference never leaves its tenant, and the references of different callers must not collide at the test VASP.
    { ...body, reference: undefined },
    {
      id,
      sender: { ...testVasp, email: body.vaspInfo?.originatorVaspEmail ?? null },
      receiver,
      actor: SYSTEM,
      now,
      price,
    },
  );
}
