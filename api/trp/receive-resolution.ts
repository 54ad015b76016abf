import { z } from 'zod';
import { applyTrpAnswer } from '../../db/lifecycle/apply-trp-answer.ts';
import { findTransferByToken, keepAnswer } from '../../db/trp/transfers.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { TrpResolution } from '../../domain/trp/messages.ts';
import { defineEndpoint } from '../endpoint.ts';
import {
  admitCallback,
  ANSWER_HEADERS,
  answerHeaders,
  requestIdentifierOf,
  requireCallback,
} from './trp-request.ts';

export const receiveResolutionEndpoint = defineEndpoint({
  operationId: 'receiveTrpResolution',
  method: 'POST',
  path: '/trp/resolutions/{token}',
  auth: 'NONE',
  limit: 'TRP',
  tag: 'Travel Rule Protocol',
  summary: 'Receive the answer to an inquiry by TRP',
  description:
    'The beneficiary VASP calls the `callback` of an inquiry. The first answer counts: the same again changes nothing, another ' +
    'one is 409. An address other than the destination of the message confirms it and holds it for a review.',
  params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/) }),
  query: z.looseObject({}),
  body: TrpResolution,
  dropsEmptyTexts: true,
  example: { body: { rejected: 'UNKNOWN_ADDRESS: The beneficiary VASP does not accept the transfer.' } },
  responses: { 204: { description: 'Taken.', schema: null, headers: ANSWER_HEADERS } },
  errors: ['not_found', 'conflict', 'rate_limited'],
  admit: admitCallback('OUTGOING'),
  async handle({ params, body, header, address }, { db, settings, writeInTurn, notifyWorkflows }) {
    const requestIdentifier = requestIdentifierOf(header);
    const transfer = await findTransferByToken(db, 'OUTGOING', params.token);
    if (!transfer || transfer.requestIdentifier !== requestIdentifier) throw notFound('inquiry');
    const callback = body.approved?.callback;
    if (callback !== undefined && callback !== null)
      requireCallback('/approved/callback', callback, settings);
    const headers = answerHeaders(requestIdentifier);
    // The answer follows; nothing is to be noted.
    if (!body.approved && typeof body.rejected !== 'string') return { status: 204, headers };
    const now = new Date();
    // In one turn: whoever is refused for want of another one would be told that nothing was done.
    const outbox = await writeInTurn(address, async () => {
      if (!(await keepAnswer(db, transfer, body, now)))
        throw new DomainError('conflict', 'This inquiry has another answer already.');
      return await applyTrpAnswer(db, transfer.sentId, now);
    });
    notifyWorkflows(outbox);
    return { status: 204, headers };
  },
});
