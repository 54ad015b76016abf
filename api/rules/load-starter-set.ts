import { z } from 'zod';
import { withIdempotency } from '../../db/idempotency/idempotency.ts';
import { changeDraft } from '../../db/rules/change-draft.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { notFound } from '../../domain/errors.ts';
import { RuleConfiguration, viewConfiguration } from '../../domain/rules/configuration.ts';
import { requireRevision } from '../../domain/rules/publish.ts';
import { LoadStarterSetBody } from '../../domain/rules/requests.ts';
import { findStarterSet } from '../../domain/rules/starter-sets-view.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { replayOf } from '../replay.ts';
import { authorOf } from './author-of.ts';
import { readRules } from './read-rules.ts';

export const loadStarterSetEndpoint = defineEndpoint({
  method: 'POST',
  path: '/rule-engine/{id}/starter-sets/{name}/load',
  auth: 'TENANT',
  limit: 'WRITES',
  tag: 'Rule engine',
  summary: 'Load a starter set as the draft',
  description:
    'Its rules for the direction of this configuration replace those of the draft. With `revision`, 409 when the draft ' +
    'is another one by now.',
  params: z.strictObject({ id: UuidParam, name: z.string().max(100) }),
  body: LoadStarterSetBody,
  bodyOptional: true,
  responses: { 201: { description: 'The configuration with its new draft.', schema: RuleConfiguration } },
  errors: [],
  async handle({ params, body, caller, idempotency = null }, { db }) {
    const { tenantId } = caller;
    const now = new Date();
    const read = await getConfiguration(db, tenantId, params.id);
    const starter = findStarterSet(params.name)?.sets[read.direction];
    if (!starter) throw notFound('starter set');
    const ruleSet = readRules(starter, read.draft.ruleSet);
    const keys = await db.vault.tenantKeys(tenantId);
    const answer = await withIdempotency(db, { tenantId, idempotency, now }, async (tx) => {
      requireRevision(read, body.revision);
      const changed = await changeDraft(tx, read, { keys, ruleSet, author: authorOf(caller), now });
      return { status: 201, body: viewConfiguration(changed), sealer: { tenantId, keys } };
    });
    return answer.replayed ? replayOf(answer) : { status: answer.status, body: answer.body };
  },
});
