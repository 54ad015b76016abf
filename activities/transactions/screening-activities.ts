import type { Aml } from '../../aml/open-aml.ts';
import { getCheck as getAmlCheck } from '../../db/aml/find-check.ts';
import { counterpartyEntityOf } from '../../db/exchanges/resolve-counterparty.ts';
import { delayTransferScreening, settleScreening } from '../../db/exchanges/settle-screening.ts';
import { getCheck as getWalletCheck } from '../../db/kyw/get-check.ts';
import { newId } from '../../db/new-id.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import {
  readSurroundings,
  type TransferSurroundings,
} from '../../db/transaction-screenings/read-surroundings.ts';
import { findLatestScreening } from '../../db/transaction-screenings/get-screening.ts';
import { findOpenTransaction, findTenantOfTransaction } from '../../db/transactions/find-transaction.ts';
import { pokeLifecycle } from '../../db/transactions/poke-lifecycle.ts';
import type { OpenTransaction } from '../../db/transactions/row.ts';
import { DomainError } from '../../domain/errors.ts';
import { planOf, type Plan } from '../../domain/transactions/next-step.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  otherWallet,
  servesAgain,
  type AmlFinding,
  type TransactionScreening,
  type WalletFinding,
} from '../../domain/transactions/screening.ts';
import { verdictOf } from '../../domain/transactions/verdict.ts';
import type { SubjectScreener } from '../../screening/screen-subjects.ts';
import type { WalletIntelligence } from '../../wallet-intelligence/check-wallet.ts';
import { amlFinding, checkForAml, classifyWallet, walletFinding } from './ask-own-data.ts';
import { applyRules } from './apply-rules.ts';
import { screenSanctions } from './screen-sanctions.ts';
import { GONE, readTransaction, type Subject, type TransactionDeps } from './transaction-access.ts';

export interface ScreeningDeps extends TransactionDeps {
  sanctions: SubjectScreener;
  aml: Aml;
  walletIntelligence: WalletIntelligence;
  /** Whether a node or an indexer of the chain is configured: asking it leaves the house. */
  canObserve: (blockchainKey: string) => boolean;
}

/** The stored answers of what was asked outside; null where there was nothing to ask. */
export interface Asked {
  amlCheckId: string | null;
  walletCheckId: string | null;
}

/** What could not be had; the log and operators are told this word. */
type Missing = 'SANCTIONS_LISTS' | 'AML';

/** The steps that find out about a transfer and decide on it. Doing one twice decides once. */
export function screeningActivities(deps: ScreeningDeps) {
  const { db } = deps;

  const delay = async (record: TransactionRecord, what: Missing): Promise<Plan> => {
    const { screening } = await getTenantSettings(db.pool, record.tenantId);
    const limits = { what, maxWaitMinutes: screening.maxWaitMinutes };
    const { record: after, pokes } = await delayTransferScreening(db, record, limits, deps.now());
    deps.tell(pokes);
    return planOf(after, deps.now());
  };

  const screen = async (open: OpenTransaction, asked: Asked | undefined): Promise<Plan> => {
    const { record } = open;
    const now = deps.now();
    const plan = planOf(record, now);
    if (plan.step !== 'SCREEN') return plan;
    const surroundings = await surroundingsOf(deps, record);
    const previous = await previousOf(deps, open);
    const isKnown = servesAgain(previous, record, now);
    if (!asked && !isKnown && leavesHouse(deps, record, surroundings))
      return { step: 'ASK_PROVIDERS', status: record.status };
    const sanctions = await screenSanctionsOrNull(deps, record);
    if (!sanctions) return await delay(record, 'SANCTIONS_LISTS');
    if (isBehind(sanctions, surroundings)) return lookAgain(record, now);
    const found = asked ? await readAsked(deps, record, asked) : await askOwnData(deps, record, surroundings);
    const screening: TransactionScreening = {
      id: newId(now),
      recordVersion: record.version,
      screenedAt: now.toISOString(),
      sanctions,
      otherWallet: otherWallet(record),
      ...found,
      counterparty: surroundings.counterparty,
    };
    const ruled = await applyRules(db, record, screening, surroundings, now);
    const verdict = verdictOf(record, screening, ruled);
    const { decision, guardCount } = ruled ?? { decision: null, guardCount: null };
    const settlement = { open, screening, verdict, decision, guardCount, now };
    const { record: after, pokes } = await settleScreening(db, settlement);
    deps.tell(pokes);
    return planOf(after, deps.now());
  };

  return {
    /**
     * Finds out about a transfer and decides on it. What is to be asked outside comes first and is told by the ids of its
     * stored answers.
     */
    async screenTransaction({ id, asked }: Subject & { asked?: Asked }): Promise<Plan> {
      const open = await readOpen(deps, id);
      return open ? await screen(open, asked) : GONE;
    },

    /** The same for what has just arrived; what takes longer goes on in a workflow of its own. */
    async screenArrived({ id }: Subject): Promise<void> {
      const open = await readOpen(deps, id);
      if (!open) return;
      const plan = await screen(open, undefined);
      if (plan.step !== 'DONE') deps.tell(await pokeLifecycle(db.pool, open.record, deps.now()));
    },

    /** Asks the tenant's AML provider and the nodes of the chain; their answers are stored before they are told. */
    async askProviders({ id }: Subject): Promise<{ failed: Missing | null; asked: Asked }> {
      const nothing = { amlCheckId: null, walletCheckId: null };
      const record = await readTransaction(deps, { id });
      const wallet = record && otherWallet(record);
      if (!record || !wallet) return { failed: null, asked: nothing };
      const { tenantId, gateSince, createdAt } = record;
      try {
        const [check, classified] = await Promise.all([
          checkForAml(deps.aml, tenantId, wallet, gateSince ?? createdAt),
          classifyWallet(deps.walletIntelligence, tenantId, wallet),
        ]);
        const asked = { amlCheckId: check?.id ?? null, walletCheckId: classified?.id ?? null };
        return { failed: null, asked };
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        return { failed: 'AML', asked: nothing };
      }
    },

    /** Says that a transfer cannot be screened now, and when it is tried again or held. */
    async delayScreening({ id, what }: Subject & { what: Missing }): Promise<Plan> {
      const record = await readTransaction(deps, { id });
      return record ? await delay(record, what) : GONE;
    },
  };
}

async function readOpen({ db }: ScreeningDeps, id: string): Promise<OpenTransaction | undefined> {
  const tenantId = await findTenantOfTransaction(db.pool, id);
  return tenantId === undefined ? undefined : await findOpenTransaction(db, tenantId, id);
}

async function surroundingsOf(
  { db, now }: ScreeningDeps,
  record: TransactionRecord,
): Promise<TransferSurroundings> {
  const entityId = await counterpartyEntityOf(db.pool, record);
  return await readSurroundings(db.pool, record, entityId, now());
}

function leavesHouse(
  { aml, canObserve }: ScreeningDeps,
  record: TransactionRecord,
  { amlProvider }: TransferSurroundings,
): boolean {
  const wallet = otherWallet(record);
  if (!wallet) return false;
  const provider = Object.values(aml.providers).find(({ code }) => code === amlProvider);
  return canObserve(wallet.blockchain) || (provider !== undefined && !provider.isOwnData);
}

/** Null while the lists cannot be asked, or one that is required is missing. */
async function screenSanctionsOrNull({ sanctions }: ScreeningDeps, record: TransactionRecord) {
  try {
    return await screenSanctions(sanctions, record);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'temporarily_unavailable') return null;
    throw error;
  }
}

/** A list that was switched a moment ago is being loaded: what was searched is older than what is due. */
function isBehind(
  { subjects }: TransactionScreening['sanctions'],
  { activeLists }: TransferSurroundings,
): boolean {
  const searched = new Map(
    subjects.flatMap(({ screening }) => screening?.lists ?? []).map(({ code, version }) => [code, version]),
  );
  return searched.size > 0 && activeLists.some(({ code, version }) => (searched.get(code) ?? 0) < version);
}

const LOADING_MS = 1_000;

function lookAgain({ status, deadlineAt }: TransactionRecord, now: Date): Plan {
  const deadlineMs = deadlineAt?.getTime() ?? null;
  return { step: 'WAIT', status, waitingFor: 'SCREENING', untilMs: now.getTime() + LOADING_MS, deadlineMs };
}

interface Found {
  aml: AmlFinding | null;
  wallet: WalletFinding | null;
}

interface Sources {
  surroundings: TransferSurroundings;
  asked: Asked | undefined;
  /** An earlier screening whose findings still serve. */
  known: TransactionScreening | null;
}

async function foundOf(
  deps: ScreeningDeps,
  record: TransactionRecord,
  { surroundings, asked, known }: Sources,
): Promise<Found> {
  if (asked) return await readAsked(deps, record, asked);
  if (known) return { aml: known.aml, wallet: known.wallet };
  return await askOwnData(deps, record, surroundings);
}

/** What was found out before; a record that nobody has touched has no before. */
async function previousOf(
  { db }: ScreeningDeps,
  { record }: OpenTransaction,
): Promise<TransactionScreening | null> {
  if (record.version === 1) return null;
  return await findLatestScreening(db, record.tenantId, record.id);
}

/** What the deployment knows by itself. */
async function askOwnData(
  { aml, walletIntelligence }: ScreeningDeps,
  record: TransactionRecord,
  { amlProvider }: TransferSurroundings,
): Promise<Found> {
  const wallet = otherWallet(record);
  if (!wallet) return { aml: null, wallet: null };
  const { tenantId, gateSince, createdAt } = record;
  const [check, classified] = await Promise.all([
    amlProvider === null ? null : checkForAml(aml, tenantId, wallet, gateSince ?? createdAt),
    classifyWallet(walletIntelligence, tenantId, wallet),
  ]);
  return { aml: check && amlFinding(check, wallet.role), wallet: classified && walletFinding(classified) };
}

async function readAsked(
  { db }: ScreeningDeps,
  record: TransactionRecord,
  { amlCheckId, walletCheckId }: Asked,
): Promise<Found> {
  const role = otherWallet(record)?.role ?? 'destination';
  const [check, classified] = await Promise.all([
    amlCheckId === null ? null : getAmlCheck(db, record.tenantId, amlCheckId),
    walletCheckId === null ? null : getWalletCheck(db, record.tenantId, walletCheckId),
  ]);
  return { aml: check && amlFinding(check, role), wallet: classified && walletFinding(classified) };
}
