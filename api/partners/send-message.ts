import { findNamedEntity } from '../../db/entities/find-named-entity.ts';
import { judgeMessage } from '../../db/lifecycle/deliver-native.ts';
import { deliverNewMessage } from '../../db/lifecycle/deliver-new-message.ts';
import { newId } from '../../db/new-id.ts';
import { getPartner } from '../../db/partners/get-partner.ts';
import { uniqueViolation, type Queryable } from '../../db/postgres.ts';
import { invalidField } from '../../domain/errors.ts';
import { foldName } from '../../domain/fold.ts';
import {
  PartnerMessageBody,
  PartnerTransaction,
  type PartnerMessageBody as Body,
} from '../../domain/partners/transaction-schema.ts';
import { viewPartnerTransaction } from '../../domain/partners/view-transaction.ts';
import { counterpartyMessage } from '../../domain/transactions/exchanging/counterparty-message.ts';
import { defineEndpoint } from '../endpoint.ts';
import { referenceTaken } from '../transactions/reference-taken.ts';

export const sendPartnerMessageEndpoint = defineEndpoint({
  operationId: 'sendPartnerMessage',
  method: 'POST',
  path: '/partners/me/transactions',
  auth: 'PARTNER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Partner',
  summary: 'Send a message to a VASP of this deployment',
  description:
    'For an originator VASP on your network, named by `originatorVaspName`, by default the partner itself. It is stored and ' +
    'delivered in one step. An unknown `beneficiaryVaspName` is a 400, and a VASP that takes no messages now a 503: send it again later. `reference` is your own id: a repeat is 409 with the ' +
    '`id` of the first.',
  body: PartnerMessageBody,
  example: {
    body: {
      reference: 'MRD-2041',
      asset: 'ETH',
      amount: '0.75',
      blockchainInfo: {
        blockchain: 'Ethereum',
        destination: '0x52908400098527886E0F7030069857D2E4169EE7',
        destinationType: 'CUSTODIAL',
      },
      vaspInfo: { beneficiaryVaspName: 'Alpine Exchange', originatorVaspName: 'Straits Digital' },
      originator: { type: 'NATURAL', name: 'Mei Tan', country: 'SG' },
      beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
    },
  },
  responses: { 201: { description: 'Stored and delivered.', schema: PartnerTransaction } },
  errors: ['conflict', 'not_found'],
  async handle({ body, caller: { partnerId }, commit }, deps) {
    const { db } = deps;
    const now = new Date();
    const { partner } = await getPartner(db, partnerId);
    const receiverTenantId = await receiverOf(db.pool, body);
    const { originatorVaspName: name = partner.name, originatorVaspEmail: email = null } = body.vaspInfo;
    // The keys are loaded before the database transaction, to keep it short.
    await Promise.all([receiverTenantId, partnerId].map(async (id) => await db.vault.tenantKeys(id)));
    const message = counterpartyMessage(body, {
      id: newId(now),
      sender: { id: partnerId, name, email },
      receiver: { name: body.vaspInfo.beneficiaryVaspName },
      now,
      price: deps.priceOf(body.asset),
    });
    await deps.addressQuestions.askReceiver({ receiverTenantId, address: message.record, asker: partnerId });
    const arriving = { sent: message.record, receiverTenantId, now };
    const judged = await judgeMessage(db, arriving, deps.judgeArrival);
    const committed = commit(async (tx) => {
      const delivery = { ...message, receiverTenantId, judged, now };
      const { record, outbox } = await deliverNewMessage(db, tx, delivery);
      const shows = { kind: 'TRANSACTION', id: record.id } as const;
      return { status: 201, body: viewPartnerTransaction(record), outbox, shows };
    });
    return await committed.catch(async (error: unknown) => {
      throw uniqueViolation(error) === 'transactions_reference'
        ? await referenceTaken(db.pool, message.record)
        : error;
    });
  },
});

/** The tenant that the message names. Throws validation_failed for anybody else: a partner reaches tenants only. */
async function receiverOf(db: Queryable, { vaspInfo }: Body): Promise<string> {
  const named = await findNamedEntity(db, foldName(vaspInfo.beneficiaryVaspName));
  if (named !== null && named !== 'AMBIGUOUS' && named.tenantId !== null) return named.tenantId;
  throw invalidField('/vaspInfo/beneficiaryVaspName', 'invalid_value', 'this is no VASP of this deployment');
}
