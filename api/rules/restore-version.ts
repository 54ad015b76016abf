import { z } from 'zod';
import { changeDraft } from '../../db/rules/change-draft.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { getVersion } from '../../db/rules/versions.ts';
import { RuleConfiguration, viewConfiguration } from '../../domain/rules/configuration.ts';
import { requireRevision } from '../../domain/rules/publish.ts';
import { RestoreBody } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { actorOf } from '../caller.ts';

export const restoreVersionEndpoint = defineEndpoint({
  operationId: 'restoreRuleVersion',
  method: 'POST',
  path: '/rule-engine/{id}/restore',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Rule engine',
  summary: 'Copy a published version into the draft',
  description: 'The published version still decides until the draft is published. An unknown version is 404.',
  params: z.strictObject({ id: UuidParam }),
  body: RestoreBody,
  example: { body: { version: 1 } },
  responses: { 201: { description: 'The configuration with its new draft.', schema: RuleConfiguration } },
  errors: [],
  async handle({ params, body, caller, commit }, { db }) {
    const { tenantId } = caller;
    const now = new Date();
    const read = await getConfiguration(db, tenantId, params.id);
    const { ruleSet } = await getVersion(db, { tenantId, configurationId: read.id }, body.version);
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      requireRevision(read, body.revision);
      const changed = await changeDraft(tx, read, { keys, ruleSet, author: actorOf(caller), now });
      return { status: 201, body: viewConfiguration(changed) };
    });
  },
});
