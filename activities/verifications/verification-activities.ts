import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { expireDueVerifications, holdForChain } from '../../db/verifications/expire-due.ts';
import { isSourceWithdrawn } from '../../db/verifications/reuses.ts';
import { findTenantOfVerification, findVerification } from '../../db/verifications/find-verification.ts';
import { isScannable, type ScanChain } from '../../domain/chain-scan/scan-chain.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { warnOfWithdrawal } from '../../domain/verifications/reuse.ts';
import { planOf, remind, type VerificationPlan } from '../../domain/verifications/time.ts';
import { splitOutbox, type CausedWebhook } from '../webhooks/attempt-first.ts';

interface VerificationDeps {
  db: Database;
  /** The chains of this deployment. */
  chains: readonly ScanChain[];
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

interface VerificationRef {
  id: string;
}

/** What a call has done, without personal data, since it is part of the workflow's history. */
export interface VerificationAdvance {
  /** What the workflow waits for. A plan other than WAIT or DONE means that another process is expiring the record. */
  plan: VerificationPlan;
  /** Webhooks of these steps, to be attempted at once. */
  webhooks: CausedWebhook[];
}

/** The workflow of one verification attempts no more: a call may expire many. */
const MAX_WEBHOOKS = 4;

/** The plan for a record that was deleted or never existed. */
const GONE: VerificationPlan = { step: 'DONE', status: 'DELETED' };

/** Maximum batches per call: a few seconds of work. Parallel calls share the overdue verifications. */
const MAX_ROUNDS = 10;

const hourAfter = (time: Date) => new Date(time.getTime() + 3_600_000);

/** The activity of `walletVerification`. A repeat changes nothing. */
export function verificationActivities(deps: VerificationDeps) {
  return {
    /**
     * Takes the steps of a verification that are due: warns its tenant that a reused proof was withdrawn, reminds of the
     * end, or expires it with all others that are overdue, whose own workflows may be waiting for a slot.
     */
    async advanceVerification({ id }: VerificationRef): Promise<VerificationAdvance> {
      const outbox: OutboxEntry[] = [];
      const collecting = {
        ...deps,
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

async function advance(deps: VerificationDeps, id: string): Promise<VerificationPlan> {
  let plan = await checkRecord(deps, id);
  if (plan.step === 'REMIND') plan = await remindOf(deps, id);
  if (plan.step !== 'EXPIRE') return plan;
  await expireOverdue(deps);
  return await checkRecord(deps, id);
}

async function checkRecord(deps: VerificationDeps, id: string): Promise<VerificationPlan> {
  const { db, now } = deps;
  const record = await read(db, id);
  if (!record) return GONE;
  if (record.reuseResult && (await isSourceWithdrawn(db.pool, record.id))) await warn(deps, record);
  const plan = planOf(record, now());
  if (plan.step !== 'EXPIRE') return plan;
  const hold = { nextCheck: hourAfter(now()), scannedChains: scannedOf(deps) };
  if (!(await holdForChain(db.pool, record.id, hold))) return plan;
  // The scanner expires it, or accepts a transfer that was in time.
  return { step: 'WAIT', status: plan.status, waitingFor: 'CHAIN', untilMs: null, deadlineMs: null };
}

async function read(db: Database, id: string): Promise<VerificationRecord | undefined> {
  const tenantId = await findTenantOfVerification(db.pool, id);
  return tenantId === undefined ? undefined : (await findVerification(db, tenantId, id))?.record;
}

/** Warns the tenant that the reused proof was withdrawn; the status stays. */
async function warn(deps: VerificationDeps, { tenantId, id }: VerificationRecord): Promise<void> {
  const now = deps.now();
  const decide = (own: VerificationRecord) => warnOfWithdrawal(own, now);
  const { outbox } = await changeVerification(deps.db, { tenantId, id, now, decide });
  deps.notifyWorkflows(outbox);
}

/** Records in the event log that the verification expires soon. */
async function remindOf(deps: VerificationDeps, id: string): Promise<VerificationPlan> {
  const record = await read(deps.db, id);
  if (!record) return GONE;
  const now = deps.now();
  const decide = (own: VerificationRecord) => remind(own, now);
  const { open, outbox } = await changeVerification(deps.db, { tenantId: record.tenantId, id, now, decide });
  deps.notifyWorkflows(outbox);
  return planOf(open.record, deps.now());
}

async function expireOverdue(deps: VerificationDeps): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { expired, outbox } = await expireDueVerifications(deps.db, deps.now(), scannedOf(deps));
    deps.notifyWorkflows(outbox);
    if (expired === 0) break;
  }
}

function scannedOf({ chains }: VerificationDeps): string[] {
  return chains.filter(isScannable).map(({ name }) => name);
}
