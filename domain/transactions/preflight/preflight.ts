import type { RuleEvaluation } from '../../rules/schema.ts';
import type { ListState } from './schema.ts';
import { applyVerdict, type ScreeningVerdict } from '../deciding/apply-verdict.ts';
import type { CounterpartyFinding, TransactionScreening } from '../deciding/screening.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import { confirmSelfHosted } from '../self-hosted/self-hosted.ts';
import type { SelfHostedRules } from '../self-hosted/self-hosted-decision.ts';
import { isSelfHosted } from '../self-hosted/self-hosted-wallet.ts';
import type { WalletProof } from '../../verifications/wallet-proof.ts';
import type { Flow } from '../../verifications/state.ts';
import type { Route } from './schema.ts';

/** What is known of a transfer that is asked about and not created. */
export interface Preflight {
  /** As a create request would store it. */
  record: TransactionRecord;
  route: Route;
  /** The VASP that the caller named, if the directory knows it. */
  vasp: CounterpartyFinding | null;
  lists: ListState;
  /** Null where lists are missing. */
  judged: JudgedPreflight | null;
  /** The tenant's proofs of the self-hosted wallet, newest first; empty for other transfers. */
  proofs: readonly WalletProof[];
  selfHosted: SelfHostedRules;
  /** The flows that a new verification may offer. */
  allowedFlows: readonly Flow[];
  now: Date;
}

export interface JudgedPreflight {
  screening: TransactionScreening;
  /** Null where no rules apply. */
  evaluation: RuleEvaluation | null;
  verdict: ScreeningVerdict;
}

/** The record as it would stand after its first steps: screened and decided, then sent or confirmed, if nothing stops it. */
export function foreseen(preflight: Preflight): TransactionRecord {
  const { record, judged, now } = preflight;
  const decided = judged ? (applyVerdict(record, null, judged.verdict, now).own?.after ?? record) : record;
  const isStopped = decided.status !== 'PENDING' || decided.hold !== null || needsScreening(decided);
  if (isStopped) return decided;
  return isSelfHosted(decided) ? afterProofs(decided, preflight) : afterRouting(decided, preflight);
}

function afterProofs(record: TransactionRecord, { proofs, selfHosted, now }: Preflight): TransactionRecord {
  return confirmSelfHosted(record, proofs, selfHosted, now).own?.after ?? record;
}

function afterRouting(record: TransactionRecord, { route }: Preflight): TransactionRecord {
  if (record.direction === 'INCOMING') return record;
  switch (route) {
    case 'NATIVE':
      return { ...record, status: 'DELIVERED' };
    case 'NOT_REACHABLE':
      return { ...record, routingFault: 'VASP_NOT_REACHABLE' };
    case 'NOT_FOUND':
    case 'ADDRESS_DISPUTED':
      return { ...record, routingFault: 'VASP_NOT_FOUND' };
    case 'NONE':
      return record;
  }
}
