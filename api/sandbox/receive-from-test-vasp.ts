import { deliverNewMessage } from '../../db/lifecycle/deliver-new-message.ts';
import { newId } from '../../db/new-id.ts';
import { findTestVasp } from '../../db/tenants/find-test-vasp.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import { TEST_VASPS, testVaspNamed } from '../../domain/tenants/test-vasps.ts';
import { Transaction } from '../../domain/transactions/schema.ts';
import {
  testVaspMessage,
  TestVaspMessageBody,
} from '../../domain/transactions/test-vasps/test-vasp-message.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';

const NAMES = TEST_VASPS.map((vasp) => vasp.name).join(', ');

export const receiveFromTestVaspEndpoint = defineEndpoint({
  method: 'POST',
  path: '/sandbox/incoming',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Sandbox',
  summary: 'Receive a message from a test VASP',
  description:
    'Only in a sandbox. A test VASP sends you what the body says, and your INCOMING record is the answer: sealed as ' +
    'usual unless you have registered the destination, with its webhook. `originatorVaspName` is one of ' +
    `${NAMES}; the last one if absent. \`reference\`, \`metadata\` and \`internalNote\` are the sender's own: ` +
    'they do not reach you.',
  body: TestVaspMessageBody,
  responses: { 201: { description: 'Arrived.', schema: Transaction } },
  errors: ['conflict'],
  async handle({ body, caller, commit }, deps) {
    const { db } = deps;
    const { tenantId } = caller;
    const now = new Date();
    const testVasp = await testVaspOf(deps, body.vaspInfo?.originatorVaspName);
    const price = deps.priceOf(body.asset);
    // Loaded before the transaction, which stays shorter.
    await Promise.all([tenantId, testVasp.id].map(async (id) => await db.vault.tenantKeys(id)));
    // Both records and the kept answer are one transaction: a crash leaves all of it or nothing, a twin waits.
    return await commit(async (tx) => {
      const receiver = { name: caller.tenant.name };
      const message = testVaspMessage(body, { id: newId(now), testVasp, receiver, now, price });
      const { incoming, outbox } = await deliverNewMessage(db, tx, {
        ...message,
        receiverTenantId: tenantId,
        now,
      });
      return { status: 201, body: viewTransaction(incoming, caller.tenant.entityId), outbox };
    });
  },
});

async function testVaspOf({ db }: Deps, name: string | undefined): Promise<{ id: string; name: string }> {
  const wanted = testVaspNamed(name);
  if (!wanted) {
    throw invalidField('/vaspInfo/originatorVaspName', 'invalid_value', `one of ${NAMES} is expected`);
  }
  const found = await findTestVasp(db.pool, wanted.behaviour);
  if (!found) {
    throw new DomainError('conflict', 'This sandbox has no such test VASP: another tenant has its name.');
  }
  return found;
}
