import { z } from 'zod';
import { changeAndRelate } from '../../db/lifecycle/relate-transfer.ts';
import { findGateway } from '../../db/gateways/find-gateway.ts';
import { changeTransaction } from '../../db/transactions/change-transaction.ts';
import { findTransferByToken } from '../../db/trp/transfers.ts';
import { notFound } from '../../domain/errors.ts';
import { hashFields } from '../../domain/normalised-places.ts';
import { applyConfirmation } from '../../domain/trp/apply-confirmation.ts';
import { TrpConfirmation } from '../../domain/trp/messages.ts';
import type { PairChange } from '../../domain/transactions/change.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { defineEndpoint } from '../endpoint.ts';
import { admitCallback, ANSWER_HEADERS, answerHeaders, requestIdentifierOf } from './trp-request.ts';

export const receiveConfirmationEndpoint = defineEndpoint({
  operationId: 'receiveTrpConfirmation',
  method: 'POST',
  path: '/trp/confirmations/{token}',
  auth: 'NONE',
  limit: 'TRP',
  tag: 'Travel Rule Protocol',
  summary: 'Receive the end of a transfer by TRP',
  description:
    'The originator VASP calls the `callback` of an approval: with the transaction, or to say that there is none. What comes ' +
    'again changes nothing.',
  params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/) }),
  query: z.looseObject({}),
  body: TrpConfirmation,
  dropsEmptyTexts: true,
  example: { body: { txid: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060' } },
  responses: { 204: { description: 'Taken.', schema: null, headers: ANSWER_HEADERS } },
  errors: ['not_found', 'conflict', 'invalid_transition', 'rate_limited'],
  admit: admitCallback('INCOMING'),
  async handle({ params, body, header, address }, { db, writeInTurn, notifyWorkflows }) {
    const requestIdentifier = requestIdentifierOf(header);
    const transfer = await findTransferByToken(db, 'INCOMING', params.token);
    if (!transfer || transfer.requestIdentifier !== requestIdentifier) throw notFound('inquiry');
    const now = new Date();
    const decide = (own: TransactionRecord, counterpart: TransactionRecord | null): PairChange =>
      applyConfirmation(own, counterpart, body, now);
    const command = { tenantId: await findGateway(db.pool, 'TRP'), id: transfer.sentId, now, decide };
    // The hash may tell which own record of the tenant is of the same transfer.
    const { outbox } = await writeInTurn(address, async () =>
      typeof body.txid === 'string'
        ? await changeAndRelate(db, command, hashFields(body.txid).hashNormal)
        : await changeTransaction(db, command),
    );
    notifyWorkflows(outbox);
    return { status: 204, headers: answerHeaders(requestIdentifier) };
  },
});
