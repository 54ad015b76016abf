import { holdForChain } from '../../db/verifications/expire-due.ts';
import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { changeVerification } from '../../db/verifications/change-verification.ts';
import { expireDueVerifications } from '../../db/verifications/expire-due.ts';
import { isSourceWithdrawn } from '../../db/verifications/reuses.ts';
import { findTenantOfVerification, findVerification } from '../../db/verifications/find-verification.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { warnOfWithdrawal } from '../../domain/verifications/reuse.ts';
import { planOf, remind, type VerificationPlan } from '../../domain/verifications/time.ts';

interface VerificationDeps {
  db: Database;
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

interface VerificationRef {
  id: string;
}

/** The plan for a record that was deleted or never existed. */
const GONE: VerificationPlan = { step: 'DONE', status: 'DELETED' };

/** Maximum batches per call: a few seconds of work. Parallel calls share the overdue verifications. */
const MAX_ROUNDS = 10;

const hourAfter = (time: Date) => new Date(time.getTime() + 3_600_000);

/** The activities that remind of a verification and expire it. A repeat changes nothing. */
export function verificationActivities({ db, notifyWorkflows, now }: VerificationDeps) {
  const read = async ({ id }: VerificationRef): Promise<VerificationRecord | undefined> => {
    const tenantId = await findTenantOfVerification(db.pool, id);
    return tenantId === undefined ? undefined : (await findVerification(db, tenantId, id))?.record;
  };
  /** Warns the tenant that the reused proof was withdrawn; the status stays. */
  const warn = async ({ tenantId, id }: VerificationRecord): Promise<void> => {
    const at = now();
    const decide = (own: VerificationRecord) => warnOfWithdrawal(own, at);
    const { outbox } = await changeVerification(db, { tenantId, id, now: at, decide });
    notifyWorkflows(outbox);
  };
  const planVerification = async (ref: VerificationRef): Promise<VerificationPlan> => {
    const record = await read(ref);
    if (!record) return GONE;
    if (record.reuseResult && (await isSourceWithdrawn(db.pool, record.id))) await warn(record);
    const plan = planOf(record, now());
    if (plan.step !== 'EXPIRE' || !(await holdForChain(db.pool, record.id, hourAfter(now())))) return plan;
    // The scanner expires it, or accepts a transfer that was in time.
    return { step: 'WAIT', status: plan.status, waitingFor: 'CHAIN', untilMs: null, deadlineMs: null };
  };
  return {
    /**
     * Reads the row and plans the next step; first warns the tenant when the proof that was reused has been
     * withdrawn.
     */
    lookAtVerification: planVerification,

    /** Records in the event log that the verification expires soon. */
    async remindOfVerification(ref: VerificationRef): Promise<VerificationPlan> {
      const record = await read(ref);
      if (!record) return GONE;
      const at = now();
      const { tenantId, id } = record;
      const change = { tenantId, id, now: at, decide: (own: VerificationRecord) => remind(own, at) };
      const { open, outbox } = await changeVerification(db, change);
      notifyWorkflows(outbox);
      return planOf(open.record, now());
    },

    /** Expires this verification and all others that are overdue, whose own workflows may be waiting for a slot. */
    async expireVerifications(ref: VerificationRef): Promise<VerificationPlan> {
      const before = await planVerification(ref);
      if (before.step !== 'EXPIRE') return before;
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const { expired, outbox } = await expireDueVerifications(db, now());
        notifyWorkflows(outbox);
        if (expired === 0) break;
      }
      return await planVerification(ref);
    },
  };
}
