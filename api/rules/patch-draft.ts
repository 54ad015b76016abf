import { z } from 'zod';
import { changeDraft } from '../../db/rules/change-draft.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { RuleConfiguration, viewConfiguration } from '../../domain/rules/configuration.ts';
import { nameRuleFault, requireRevision } from '../../domain/rules/publish.ts';
import { PatchDraftBody } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { actorOf } from '../caller.ts';
import { readRules, RULES_BYTES } from './read-rules.ts';

export const patchDraftEndpoint = defineEndpoint({
  operationId: 'patchRuleDraft',
  method: 'PATCH',
  path: '/rule-engine/{id}/draft',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Replace the draft rules',
  description:
    'The draft decides nothing until it is published. `revision` is the revision that you have read: if somebody has ' +
    'changed the draft since, 409 contains the present one. 400 `rules_invalid` lists every fault by pointer, rule and ' +
    'leaf.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchDraftBody,
  bodyBytes: RULES_BYTES,
  refineRefusal: nameRuleFault,
  example: {
    body: {
      revision: 1,
      rules: [
        {
          name: 'Large transfers',
          conditions: { all: [{ field: 'amount', operator: 'GTE', value: '10000', currency: 'EUR' }] },
          decision: 'REVIEW',
          reason: 'Above 10,000 EUR.',
        },
      ],
    },
  },
  responses: { 200: { description: 'The configuration with its new draft.', schema: RuleConfiguration } },
  errors: ['rules_invalid', 'conflict'],
  async handle({ params, body, caller }, { db, writeInTurn }) {
    const { tenantId } = caller;
    const read = await getConfiguration(db, tenantId, params.id);
    requireRevision(read, body.revision);
    const ruleSet = readRules(body, read.draft.ruleSet);
    const keys = await db.vault.tenantKeys(tenantId);
    const change = { keys, ruleSet, author: actorOf(caller), now: new Date() };
    return {
      status: 200,
      body: viewConfiguration(
        await writeInTurn(tenantId, async () => await changeDraft(db.pool, read, change)),
      ),
    };
  },
});
