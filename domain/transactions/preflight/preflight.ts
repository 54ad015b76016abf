import type { RuleEvaluation } from '../../rules/schema.ts';
import type { ListState } from './schema.ts';
import { applyVerdict, type ScreeningVerdict } from '../deciding/apply-verdict.ts';
import { delayScreening } from '../deciding/delay-screening.ts';
import type { CounterpartyFinding, TransactionScreening } from '../deciding/screening.ts';
import { needsScreening } from '../screening-due.ts';
import type { TransactionRecord } from '../record.ts';
import { confirmSelfHosted } from '../self-hosted/self-hosted.ts';
import type { SelfHostedRules } from '../self-hosted/self-hosted-decision.ts';
import { isSelfHosted } from '../self-hosted-wallet.ts';
import type { WalletProof } from '../../verifications/wallet-proof.ts';
import type { VerificationFlow } from '../../verifications/state.ts';
import type { MailboxTrust } from '../../entities/mailbox.ts';
import { pausedFromStart } from '../lifecycle/pause.ts';
import { holdForMailbox } from '../lifecycle/mail-outcomes.ts';
import { holdForTravelAddress } from '../lifecycle/travel-address-hold.ts';
import type { SkippedNetwork } from '../lifecycle/route.ts';
import type { Route } from './schema.ts';

/** Where the message would go. */
export interface ForeseenRoute {
  outcome: Route;
  /** The networks before it, or all where there is none, and why they do not reach the VASP. */
  skipped: readonly SkippedNetwork[];
  /** What is known of the mailbox; null unless the message would go by e-mail. */
  mailbox: MailboxTrust | null;
  /** Whether nothing shows that the travel address of the message is that of the VASP which the message names. */
  leadsElsewhere: boolean;
  /** The brake of either side that would hold the message back. */
  brakeId: string | null;
}

/** What is known of a transfer that is asked about and not created. */
export interface Preflight {
  /** As a create request would store it. */
  record: TransactionRecord;
  route: ForeseenRoute;
  /** The VASP that the caller named, if the directory knows it. */
  vasp: CounterpartyFinding | null;
  lists: ListState;
  /** Null where lists are missing. */
  judged: JudgedPreflight | null;
  /** How long a transfer waits for missing lists before it is held. */
  maxWaitMinutes: number;
  /** The tenant's proofs of the self-hosted wallet, newest first; empty for other transfers. */
  proofs: readonly WalletProof[];
  selfHosted: SelfHostedRules;
  /** The flows that a new verification may offer. */
  allowedFlows: readonly VerificationFlow[];
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
  const decided = afterScreening(preflight);
  const isStopped = decided.status !== 'PENDING' || decided.hold !== null || needsScreening(decided);
  if (isStopped) return decided;
  // A brake on everything that the tenant sends; the message waits for its end before the next step.
  if (decided.pausedBy !== null) return decided;
  return isSelfHosted(decided) ? afterProofs(decided, preflight) : afterRouting(decided, preflight);
}

/** Lists that are being loaded are there within seconds; what waits for missing ones says so, or is held. */
function afterScreening({ record, judged, lists, maxWaitMinutes, now }: Preflight): TransactionRecord {
  if (judged) return applyVerdict(record, null, judged.verdict, now).own?.after ?? record;
  if (lists !== 'MISSING') return record;
  const delay = { what: 'SANCTIONS_LISTS', maxWaitMinutes, triedSince: now };
  return delayScreening(record, delay, now).own?.after ?? record;
}

function afterProofs(record: TransactionRecord, { proofs, selfHosted, now }: Preflight): TransactionRecord {
  return confirmSelfHosted(record, proofs, selfHosted, now).own?.after ?? record;
}

function afterRouting(record: TransactionRecord, { route, now }: Preflight): TransactionRecord {
  if (record.direction === 'INCOMING') return record;
  const { outcome, mailbox, leadsElsewhere, brakeId } = route;
  if (leadsElsewhere) return holdForTravelAddress(record, now).own?.after ?? record;
  if (brakeId !== null) return pausedFromStart(record, brakeId);
  if (mailbox !== null && mailbox !== 'FITS')
    return holdForMailbox(record, { standing: mailbox, now }).own?.after ?? record;
  switch (outcome) {
    case 'NATIVE':
    case 'PARTNER':
    case 'TRP':
      return { ...record, status: 'DELIVERED' };
    case 'EMAIL':
      return { ...record, routingFault: 'EMAIL_SENT' };
    case 'NOT_REACHABLE':
      return { ...record, routingFault: 'VASP_NOT_REACHABLE' };
    case 'NOT_FOUND':
    case 'ADDRESS_DISPUTED':
      return { ...record, routingFault: 'VASP_NOT_FOUND' };
    case 'NONE':
      return record;
  }
}
