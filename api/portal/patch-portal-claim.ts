import { changeClaimIn, type ClaimCommand } from '../../db/claims/change-claim.ts';
import { mailedClaimOf } from '../../db/lifecycle/open-claim-by-mail.ts';
import { requireCurrentLink } from '../../db/lifecycle/require-current-link.ts';
import { inTransaction } from '../../db/postgres.ts';
import { patchFromOutside } from '../../domain/claims/end-claim.ts';
import { PatchClaimBody } from '../../domain/claims/schema.ts';
import { PortalClaim } from '../../domain/portal/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { openClaimSession } from './open-portal-link.ts';
import { showPortalClaim } from './show-portal-claim.ts';

export const patchPortalClaimEndpoint = defineEndpoint({
  operationId: 'patchPortalClaim',
  method: 'PATCH',
  path: '/portal/claim',
  auth: 'NONE',
  portal: 'SESSION',
  limit: 'HOSTED',
  tag: 'E-mail portal',
  summary: 'Refuse the claim',
  description:
    'DECLINED is the only status that it takes, until `deadlineAt`; the asking VASP learns the `statusReasoning`. The same ' +
    'again changes nothing; anything else is 409 `invalid_transition` with `allowed`.',
  body: PatchClaimBody,
  example: { body: { status: 'DECLINED', statusReasoning: 'The coins are not from us.' } },
  responses: { 200: { description: 'The claim as it is now.', schema: PortalClaim } },
  errors: [
    'not_found',
    'unauthenticated',
    'conflict',
    'invalid_transition',
    'tenant_suspended',
    'rate_limited',
  ],
  async handle(request, deps) {
    const { db, writeInTurn, notifyWorkflows } = deps;
    const open = await openClaimSession(deps, request);
    const now = new Date();
    const { tenantId, id } = await mailedClaimOf(db, open.record);
    const command: ClaimCommand = {
      tenantId,
      id,
      now,
      decide: (own, counterpart) => patchFromOutside(own, counterpart, request.body, now),
    };
    const { outbox } = await writeInTurn(
      request.address,
      async () =>
        await inTransaction(db.pool, async (tx) => {
          const changed = await changeClaimIn(db, tx, command);
          await requireCurrentLink(db, tx, open.link);
          return changed;
        }),
    );
    notifyWorkflows(outbox);
    return { status: 200, body: await showPortalClaim(db, open.record) };
  },
});
