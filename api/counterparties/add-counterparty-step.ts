import { z } from 'zod';
import { masterOf } from '../../db/counterparties/patch-counterparty.ts';
import { insertStep } from '../../db/counterparties/steps.ts';
import { AddStepBody, CounterpartyStep, viewStep } from '../../domain/entities/counterparty.ts';
import { invalidField } from '../../domain/errors.ts';
import { actorOf } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const addCounterpartyStepEndpoint = defineEndpoint({
  operationId: 'addCounterpartyStep',
  method: 'POST',
  path: '/counterparties/{entityId}/steps',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Entities',
  summary: 'Record a step against an entity',
  description:
    'What Article 17 of Regulation (EU) 2023/1113 asks of you when a VASP repeatedly sends no or incomplete data: a warning with a ' +
    'deadline, the restriction or end of the relationship, the report to the authority. A step is kept as it is, and changes ' +
    'no `policy`. A step about a duplicate is one about its master.',
  params: z.strictObject({ entityId: UuidParam }),
  body: AddStepBody,
  example: { body: { kind: 'WARNED', takenAt: '2026-11-02', note: 'Deadline: end of the month.' } },
  responses: { 201: { description: 'Recorded.', schema: CounterpartyStep } },
  errors: [],
  async handle({ params, body, caller, commit }, { db }) {
    const { tenantId } = caller;
    const now = new Date();
    if (body.takenAt && body.takenAt > now)
      throw invalidField('/takenAt', 'date_in_future', 'A step is recorded when it was taken.');
    const [entityId, keys] = await Promise.all([
      masterOf(db, params.entityId),
      db.vault.tenantKeys(tenantId),
    ]);
    return await commit(async (tx) => {
      const step = await insertStep(tx, {
        tenantId,
        entityId,
        step: body,
        actor: actorOf(caller),
        keys,
        now,
      });
      return { status: 201, body: viewStep(step) };
    });
  },
});
