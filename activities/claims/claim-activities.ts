import { changeClaim } from '../../db/claims/change-claim.ts';
import { findClaimOfWorkflow } from '../../db/claims/find-claim.ts';
import { resolveClaimRoute } from '../../db/lifecycle/resolve-claim-route.ts';
import { sendMatching } from '../../db/lifecycle/send-to-asker.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { ClaimPairChange } from '../../domain/claims/change.ts';
import { unreachedClaim, unroutedClaim } from '../../domain/claims/deliver-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { expireClaim, planOfClaim, remindOfClaim, type ClaimPlan } from '../../domain/claims/time.ts';
import type { ClaimNetworks } from '../network/claim-network.ts';
import { mailedClaims } from '../network/mailed-claims.ts';
import { nativeClaims } from '../network/native-claims.ts';
import { CounterpartyUnreachable } from '../network/network.ts';
import { splitOutbox, type CausedWebhook } from '../webhooks/attempt-first.ts';
import type { ClaimDeps } from './claim-deps.ts';
import { respondAsTestVasp } from './respond-as-test-vasp.ts';

/** What a call has done, without personal data, since it is part of the workflow's history. */
export interface ClaimAdvance {
  /** What the workflow waits for. A plan other than WAIT or DONE means that another process takes the step. */
  plan: ClaimPlan;
  /** Webhooks of these steps, to be attempted at once. */
  webhooks: CausedWebhook[];
}

/** The plan for a claim that does not exist. */
const GONE: ClaimPlan = { step: 'DONE', status: 'GONE' };

/** Both sides of a claim, for two changes; the rest is left to the workflows of the deliveries. */
const MAX_WEBHOOKS = 4;
/** A chain of steps without a wait is shorter; more would be a circle. */
const MAX_STEPS = 5;

/** The activity of `claimRequest`. A repeat does nothing again. */
export function claimActivities(deps: ClaimDeps) {
  const native = nativeClaims(deps.db);
  const networks: ClaimNetworks = { NATIVE: native, PARTNER: native, EMAIL: mailedClaims(deps) };
  return {
    /** Takes every step of a claim that is due: its delivery, an answer that needs no decision, its reminder, its end. */
    async advanceClaim({ id }: { id: string }): Promise<ClaimAdvance> {
      const outbox: OutboxEntry[] = [];
      const collecting = {
        ...deps,
        networks,
        notifyWorkflows: (more: readonly OutboxEntry[]) => void outbox.push(...more),
      };
      try {
        const plan = await advance(collecting, id);
        const { webhooks, others } = splitOutbox(outbox.splice(0), MAX_WEBHOOKS);
        outbox.push(...others);
        return { plan, webhooks };
      } finally {
        deps.notifyWorkflows(outbox);
      }
    },
  };
}

interface StepDeps extends ClaimDeps {
  networks: ClaimNetworks;
}

async function advance(deps: StepDeps, id: string): Promise<ClaimPlan> {
  for (let steps = 0; ; steps += 1) {
    const claim = await findClaimOfWorkflow(deps.db, id);
    if (!claim) return GONE;
    const plan = planOfClaim(claim, deps.now());
    const step = STEPS[plan.step];
    if (!step || steps >= MAX_STEPS) return plan;
    await step(deps, claim);
  }
}

type ClaimStep = (deps: StepDeps, claim: ClaimRecord) => Promise<void>;

const STEPS: Partial<Record<ClaimPlan['step'], ClaimStep>> = {
  DELIVER: deliver,
  LOOK_FOR_TRANSFER: async (deps, claim) => {
    await respondAsTestVasp(deps, claim);
    const { outbox } = await sendMatching(deps.db, claim, deps.now());
    deps.notifyWorkflows(outbox);
  },
  REMIND: async (deps, claim) => await change(deps, claim, remindOfClaim),
  EXPIRE: async (deps, claim) => await change(deps, claim, expireClaim),
};

async function change(
  { db, now, notifyWorkflows }: StepDeps,
  { tenantId, id }: ClaimRecord,
  decide: (own: ClaimRecord, counterpart: ClaimRecord | null, now: Date) => ClaimPairChange,
): Promise<void> {
  const at = now();
  const { outbox } = await changeClaim(db, {
    tenantId,
    id,
    now: at,
    decide: (own, counterpart) => decide(own, counterpart, at),
  });
  notifyWorkflows(outbox);
}

/** Delivers a claim over the network of the originator VASP. It fails where no network leads there. */
async function deliver(deps: StepDeps, claim: ClaimRecord): Promise<void> {
  const { counterparty, entityId, skipped } = await resolveClaimRoute(deps.db.pool, claim);
  if (!counterparty) {
    await change(deps, claim, (own, _counterpart, now) => unroutedClaim(own, { entityId, skipped, now }));
    return;
  }
  try {
    const delivered = await deps.networks[counterparty.network].deliver({
      record: claim,
      counterparty,
      now: deps.now(),
    });
    if (delivered) deps.notifyWorkflows(delivered.outbox);
  } catch (error) {
    if (!(error instanceof CounterpartyUnreachable)) throw error;
    await change(deps, claim, (own, _counterpart, now) => unreachedClaim(own, entityId, now));
  }
}
