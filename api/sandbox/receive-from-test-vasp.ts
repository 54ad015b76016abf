import { judgeMessage } from '../../db/lifecycle/deliver-native.ts';
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
import { showTransaction } from '../../db/transactions/show-transaction.ts';
import type { Deps } from '../deps.ts';
import { defineEndpoint } from '../endpoint.ts';

const NAMES = TEST_VASPS.map((vasp) => vasp.name).join(', ');

export const receiveFromTestVaspEndpoint = defineEndpoint({
  operationId: 'receiveFromTestVasp',
  method: 'POST',
  path: '/sandbox/incoming',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Sandbox',
  summary: 'Receive a message from a test VASP',
  description:
    'Only in a sandbox. A test VASP sends you the message of the body, and the answer is your INCOMING record. Its ' +
    'personal data is hidden unless you have registered the destination or say at `addressQuestionUrl` that it is yours, and ' +
    'it has a webhook as usual. ' +
    `\`originatorVaspName\` is one of ${NAMES}; by default Silent Test VASP. \`reference\`, \`metadata\` and ` +
    '`internalNote` belong to the sender: you do not receive them.',
  body: TestVaspMessageBody,
  example: {
    body: {
      asset: 'ETH',
      amount: '0.5',
      blockchainInfo: {
        blockchain: 'Ethereum',
        destination: '0x52908400098527886E0F7030069857D2E4169EE7',
        destinationType: 'CUSTODIAL',
      },
      originator: { type: 'NATURAL', name: 'Greta Lindqvist', country: 'SE' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    },
  },
  responses: { 201: { description: 'Received.', schema: Transaction } },
  errors: ['conflict', 'not_found'],
  async handle({ body, caller, commit }, deps) {
    const { db } = deps;
    const { tenantId } = caller;
    const now = new Date();
    const testVasp = await testVaspOf(deps, body.vaspInfo?.originatorVaspName);
    const price = deps.priceOf(body.asset);
    // The keys are loaded before the database transaction, to keep it short.
    await Promise.all([tenantId, testVasp.id].map(async (id) => await db.vault.tenantKeys(id)));
    const receiver = { name: caller.tenant.name };
    const message = testVaspMessage(body, { id: newId(now), testVasp, receiver, now, price });
    const { record: address } = message;
    await deps.addressQuestions.askReceiver({ receiverTenantId: tenantId, address, asker: tenantId });
    const arriving = { sent: message.record, receiverTenantId: tenantId, now };
    const judged = await judgeMessage(db, arriving, deps.judgeArrival);
    // One database transaction for both records and the stored answer: a crash leaves all or nothing, and a concurrent
    // repeat waits for it.
    return await commit(async (tx) => {
      const { incoming, outbox } = await deliverNewMessage(db, tx, {
        ...message,
        receiverTenantId: tenantId,
        judged,
        now,
      });
      const view = await showTransaction(db, tx, incoming, caller.tenant.entityId);
      return { status: 201, body: view, outbox, shows: { kind: 'TRANSACTION', id: incoming.id } };
    });
  },
});

async function testVaspOf({ db }: Deps, name: string | undefined): Promise<{ id: string; name: string }> {
  const vasp = testVaspNamed(name);
  if (!vasp) {
    throw invalidField('/vaspInfo/originatorVaspName', 'invalid_value', `one of ${NAMES} is expected`);
  }
  const found = await findTestVasp(db.pool, vasp.behaviour);
  if (!found) {
    throw new DomainError('conflict', 'This sandbox has no such test VASP: another tenant has its name.');
  }
  return found;
}
