import type { Logger } from 'pino';
import { endProposalsOfKinds } from '../../db/proposals/end-proposals.ts';
import { proposeOrAgree } from '../../db/proposals/propose-or-agree.ts';
import { lockTenantSettings, storeTenantSettings } from '../../db/tenants/change-tenant-settings.ts';
import type { Queryable } from '../../db/postgres.ts';
import { countProvenUsers } from '../../db/users/proven-users.ts';
import { viewProposal } from '../../domain/proposals/schema.ts';
import {
  kindsOf,
  requireTwoPeople,
  rolesOf,
  switchedOn,
  type FourEyesSwitch,
} from '../../domain/tenants/four-eyes.ts';
import { patchSettings } from '../../domain/tenants/patch-settings.ts';
import { settingsOf, type PatchSettingsBody, type Settings } from '../../domain/tenants/settings.ts';
import type { ActRequest } from '../act-request.ts';
import { loggedCaller } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { EndpointAnswer } from '../send-answer.ts';

/**
 * Changes a tenant's settings. To switch four eyes on takes two users who could agree, to switch any of it off two people, and
 * so does another address for questions with four eyes for addresses: the first proposes the whole change. Throws conflict.
 */
export async function changeSettings(
  { db }: Pick<Deps, 'db'>,
  { caller, commit, body, approves }: ActRequest<PatchSettingsBody>,
  log: Logger,
): Promise<EndpointAnswer> {
  const { tenantId } = caller;
  const now = new Date();
  const keys = await db.vault.tenantKeys(tenantId);
  let shown: Settings | null = null;
  const answer = await commit(async (tx) => {
    const { stored, basis } = await lockTenantSettings(tx, tenantId);
    const next = patchSettings(stored, body);
    const [before, after] = [settingsOf(stored), settingsOf(next)];
    await requirePeople(tx, tenantId, switchedOn(before.fourEyes, after.fourEyes));
    const ended = switchedOn(after.fourEyes, before.fourEyes);
    const asksElsewhere =
      before.fourEyes.webhookUrl && before.addressQuestionUrl !== after.addressQuestionUrl;
    const kind = asksElsewhere ? 'ADDRESS_QUESTION_URL' : 'FOUR_EYES';
    const act = { kind, subjectId: tenantId, basis, request: body } as const;
    const takesTwo = approves !== null || ended.length > 0 || asksElsewhere;
    const outcome = takesTwo ? await proposeOrAgree(tx, act, { caller, keys, now, approves }) : null;
    const proposal = outcome ? { proposal: viewProposal(outcome.proposal) } : {};
    shown = outcome?.isAgreed === false ? before : after;
    if (outcome?.isAgreed === false) return { status: 200, body: { ...before, ...proposal } };
    await storeTenantSettings(tx, tenantId, { settings: next, patch: body, now });
    await endProposalsOfKinds(tx, { tenantId, kinds: kindsOf(ended), now });
    return { status: 200, body: { ...after, ...proposal } };
  });
  if (shown) logChange(log, caller, { body, settings: shown });
  return answer;
}

/** Notes who has switched something that the others rely on, or proposed to, and how it stands now. */
function logChange(
  log: Logger,
  caller: ActRequest<PatchSettingsBody>['caller'],
  { body, settings: { fourEyes, maskApiKeys } }: { body: PatchSettingsBody; settings: Settings },
): void {
  if (body.fourEyes)
    log.info(
      { audit: 'FOUR_EYES_SET', ...loggedCaller(caller), fourEyes },
      'four eyes were switched on or off, or a change of them was proposed',
    );
  if (body.maskApiKeys !== undefined)
    log.info(
      { audit: 'API_KEY_MASKING_SET', ...loggedCaller(caller), maskApiKeys },
      'masking of API keys was switched on or off, or a change of it was proposed',
    );
}

async function requirePeople(tx: Queryable, tenantId: string, on: FourEyesSwitch[]): Promise<void> {
  for (const name of on) requireTwoPeople(name, await countProvenUsers(tx, tenantId, rolesOf(name)));
}
