import { z } from 'zod';
import { publishDraft } from '../../db/rules/publish-draft.ts';
import { getConfiguration } from '../../db/rules/read-configurations.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { RuleConfiguration, viewConfiguration } from '../../domain/rules/configuration.ts';
import { requireOtherEyes, requireRevision } from '../../domain/rules/publish.ts';
import { PublishBody } from '../../domain/rules/requests.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { actorOf } from '../caller.ts';
import { readRules } from './read-rules.ts';

export const publishRulesEndpoint = defineEndpoint({
  operationId: 'publishRules',
  method: 'POST',
  path: '/rule-engine/{id}/publish',
  auth: 'TENANT',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Rule engine',
  summary: 'Publish the draft',
  description:
    'The draft becomes the next version, which never changes and decides from the next evaluation on. With `revision`, ' +
    'only the draft with that revision is published. If two callers publish at the same time, one of them gets 409. With ' +
    '`settings.fourEyes.rules`, the last editor of the draft cannot publish it.',
  params: z.strictObject({ id: UuidParam }),
  body: PublishBody,
  example: { body: { comment: 'Large transfers are reviewed.' } },
  responses: { 201: { description: 'The configuration with its new version.', schema: RuleConfiguration } },
  errors: ['rules_invalid'],
  async handle({ params, body, caller, commit }, { db }) {
    const { tenantId } = caller;
    const now = new Date();
    const author = actorOf(caller);
    const read = await getConfiguration(db, tenantId, params.id);
    const { fourEyes } = await getTenantSettings(db.pool, tenantId);
    const keys = await db.vault.tenantKeys(tenantId);
    return await commit(async (tx) => {
      requireRevision(read, body.revision);
      if (fourEyes.rules) requireOtherEyes(read, author);
      // Checked again, because a draft from an earlier release can contain rules that this release refuses.
      readRules(read.draft.ruleSet, read.draft.ruleSet);
      const published = await publishDraft(tx, read, { keys, comment: body.comment, author, now });
      return { status: 201, body: viewConfiguration(published) };
    });
  },
});
