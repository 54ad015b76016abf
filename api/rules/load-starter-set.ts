import { z } from 'zod';
import { changeDraft } from '../../db/rules/change-draft.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { notFound } from '../../domain/errors.ts';
import { RuleConfiguration, viewConfiguration } from '../../domain/rules/configuration.ts';
import { requireRevision } from '../../domain/rules/publish.ts';
import { LoadStarterSetBody } from '../../domain/rules/requests.ts';
import { findStarterSet } from '../../domain/rules/starter-sets-view.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { actorOf } from '../caller.ts';
import { readRules } from './read-rules.ts';

export const loadStarterSetEndpoint = defineEndpoint({
  operationId: 'loadRuleStarterSet',
  method: 'POST',
  path: '/rule-engine/{id}/starter-sets/{name}/load',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Rule engine',
  summary: 'Load a starter set as the draft',
  description:
    'The rules of the set for the direction of this configuration replace those of the draft. With `revision`, 409 if the ' +
    'draft has changed since that revision.',
  params: z.strictObject({ id: UuidParam, name: z.string().max(100) }),
  body: LoadStarterSetBody,
  bodyOptional: true,
  example: { body: {} },
  responses: { 201: { description: 'The configuration with its new draft.', schema: RuleConfiguration } },
  errors: [],
  async handle({ params, body, caller, commit }, { db }) {
    const { tenantId } = caller;
    const now = new Date();
    const read = await getConfiguration(db, tenantId, params.id);
    const starter = findStarterSet(params.name)?.sets[read.direction];
    if (!starter) throw notFound('starter set');
    const ruleSet = readRules(starter, read.draft.ruleSet);
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      requireRevision(read, body.revision);
      const changed = await changeDraft(tx, read, { keys, ruleSet, author: actorOf(caller), now });
      return { status: 201, body: viewConfiguration(changed) };
    });
  },
});
