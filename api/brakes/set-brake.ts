import { getBrake } from '../../db/brakes/list-brakes.ts';
import { setBrake } from '../../db/brakes/set-brake.ts';
import { Brake, SetBrakeBody, viewBrake } from '../../domain/brakes/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { brakeParty, newBrake } from './brake-party.ts';

/** What a brake does, for both of its descriptions. */
export const BRAKE_TEXT =
  'Nothing is lost and nothing is refused: what is accepted waits until the release. With OUTGOING, new messages and those on ' +
  'their way are PENDING/PAUSED after their screening, and so are payouts to self-hosted wallets; with INCOMING, messages of ' +
  'other tenants wait with their senders as PENDING/PAUSED, and those from outside are 503 `temporarily_unavailable`; with ' +
  'WEBHOOKS, deliveries stay PENDING. Once this is answered, no further message passes. Answers, cancellations, corrections of ' +
  'what was delivered, and claims go on. A second brake of the same kind for the same counterparty is 409 with the `id` of the ' +
  'first.';

export const setBrakeEndpoint = defineEndpoint({
  operationId: 'setBrake',
  method: 'POST',
  path: '/tenant/me/brakes',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Brakes',
  summary: 'Hold back messages or webhooks',
  description: BRAKE_TEXT,
  body: SetBrakeBody,
  example: { body: { kind: 'OUTGOING', reason: 'The hot wallet is being examined.' } },
  auditedBody: ({ kind, counterpartyEntityId = null }) => ({ kind, counterpartyEntityId, reason: null }),
  responses: { 201: { description: 'The brake is on.', schema: Brake } },
  errors: ['conflict'],
  async handle({ body, caller, commit }, { db }) {
    const { tenantId } = caller;
    const brake = newBrake(tenantId, body, brakeParty(caller), new Date());
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      const { id } = await setBrake(tx, brake, keys);
      return { status: 201, body: viewBrake(await getBrake(db, tenantId, id, tx)) };
    });
  },
});
