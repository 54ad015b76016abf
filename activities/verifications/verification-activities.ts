import { holdForChain } from '../../db/verifications/hold-for-chain.ts';
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
  /** Tells the workflows of what was changed; what is not told now, the relay tells. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

interface VerificationSubject {
  id: string;
}

/** The plan for a record that was deleted or never existed. */
const GONE: VerificationPlan = { step: 'DONE', status: 'DELETED' };

/** How many batches one step marks: a few seconds of work. Several steps at once share what is overdue. */
const MAX_ROUNDS = 10;

const hourAfter = (time: Date) => new Date(time.getTime() + 3_600_000);

/** The steps that time takes with a verification. Doing one twice changes nothing. */
export function verificationActivities({ db, notifyWorkflows, now }: VerificationDeps) {
  const read = async ({ id }: VerificationSubject): Promise<VerificationRecord | undefined> => {
    const tenantId = await findTenantOfVerification(db.pool, id);
    return tenantId === undefined ? undefined : (await findVerification(db, tenantId, id))?.record;
  };
  /** What it relies on is no proof any more; the state stays. */
  const warn = async ({ tenantId, id }: VerificationRecord): Promise<void> => {
    const at = now();
    const decide = (own: VerificationRecord) => warnOfWithdrawal(own, at);
    const { outbox } = await changeVerification(db, { tenantId, id, now: at, decide });
    notifyWorkflows(outbox);
  };
  const look = async (subject: VerificationSubject): Promise<VerificationPlan> => {
    const record = await read(subject);
    if (!record) return GONE;
    if (record.reuseResult && (await isSourceWithdrawn(db.pool, record.id))) await warn(record);
    const plan = planOf(record, now());
    if (plan.step !== 'EXPIRE' || !(await holdForChain(db.pool, record.id, hourAfter(now())))) return plan;
    // The scanner ends it, or accepts a transfer that was in time.
    return { step: 'WAIT', status: plan.status, waitingFor: 'CHAIN', untilMs: null, deadlineMs: null };
  };
  return {
    /** Reads the row and says what is next; warns the tenant first when the earlier proof that was reused was withdrawn. */
    lookAtVerification: look,

    /** Notes in the log that the time is nearly over. */
    async remindOfVerification(subject: VerificationSubject): Promise<VerificationPlan> {
      const record = await read(subject);
      if (!record) return GONE;
      const at = now();
      const { tenantId, id } = record;
      const change = { tenantId, id, now: at, decide: (own: VerificationRecord) => remind(own, at) };
      const { open, outbox } = await changeVerification(db, change);
      notifyWorkflows(outbox);
      return planOf(open.record, now());
    },

    /** Ends what is overdue: this verification, and all others that are, whose own workflows may be far from their turn. */
    async expireVerifications(subject: VerificationSubject): Promise<VerificationPlan> {
      const before = await look(subject);
      if (before.step !== 'EXPIRE') return before;
      for (let round = 0; round < MAX_ROUNDS; round += 1) {
        const { expired, outbox } = await expireDueVerifications(db, now());
        notifyWorkflows(outbox);
        if (expired === 0) break;
      }
      return await look(subject);
    },
  };
}
