import type { Aml } from '../aml/open-aml.ts';
import { entitiesOnWay, findBrakeOnWay } from '../db/brakes/find-brake.ts';
import { mailDomainsOf } from '../db/lifecycle/reach-by-mail.ts';
import type { InTurn } from '../db/fair-turns.ts';
import type { Queryable } from '../db/postgres.ts';
import { mailboxTrust, type MailboxTrust } from '../domain/entities/mailbox.ts';
import type { RoutedCounterparty } from '../domain/transactions/lifecycle/route.ts';
import { counterpartyOf, type KnownCounterparty } from '../db/lifecycle/resolve-counterparty.ts';
import { readScreeningContext, type ScreeningContext } from '../db/lifecycle/read-screening-context.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import { isSuspended } from '../db/tenants/require-active.ts';
import { findWalletProofs } from '../db/verifications/find-wallet-proofs.ts';
import type { TransactionRecord } from '../domain/transactions/record.ts';
import type { WalletIntelligence } from '../wallet-intelligence/check-wallet.ts';
import { combineFindings } from '../domain/transactions/deciding/combine-findings.ts';
import {
  notAskedOf,
  otherWallet,
  type TransactionScreening,
} from '../domain/transactions/deciding/screening.ts';
import type {
  ForeseenRoute,
  JudgedPreflight,
  Preflight,
} from '../domain/transactions/preflight/preflight.ts';
import type { ListState } from '../domain/transactions/preflight/schema.ts';
import { isSelfHosted, selfHostedWallet } from '../domain/transactions/self-hosted-wallet.ts';
import { applyRules } from './apply-rules.ts';
import { compareCompletely, doListsNotLoad, type ListsUnavailable } from './compare-completely.ts';
import { sanctionsOf, type ComparedParty } from './compare-with-lists.ts';
import type { ScreeningDeps } from './gather-findings.ts';
import { classifyByOwnData, knownAmlFinding, observeBefore, walletFinding } from './wallet-findings.ts';

export interface PreflightDeps extends ScreeningDeps {
  /** Takes a turn among the readings of a tenant. */
  readInTurn: InTurn;
  /** Whether the deployment has a mail server. */
  sendsMails: boolean;
}

/**
 * What a transfer would meet if it were created now: route, proofs, lists, own data and rules, by the parts that decide on real
 * ones. Stores nothing, sends nothing and pays no provider. `open` is the record of a create request, which is not stored. Takes turns
 * for what it reads, and none while it waits for searches of names, which share batches with others, or for nodes.
 */
export async function preflight(deps: PreflightDeps, open: OpenTransaction): Promise<Preflight> {
  const { record } = open;
  const { db } = deps;
  const now = deps.now();
  const { found, context, route, proofs } = await deps.readInTurn(record.tenantId, async () => {
    const found = await counterpartyOf(db.pool, record, db);
    return {
      found,
      context: await readScreeningContext(db, record, found.entityId, now),
      route: await routeOf(deps, open, found),
      proofs: isSelfHosted(record)
        ? await findWalletProofs(db, db.pool, record.tenantId, selfHostedWallet(record))
        : [],
    };
  });
  const compared = await compareCompletely(deps.sanctions, open, context);
  const isCompared = Array.isArray(compared);
  const { settings } = context;
  const { autoConfirmSelfHosted, selfHosted, fourEyes, walletVerification } = settings;
  return {
    record,
    route,
    vasp: found.isNamed ? context.counterparty : null,
    lists: isCompared ? 'SEARCHED' : stateOf(compared, deps.sanctions),
    judged: isCompared ? await judge(deps, open, { compared, context, now }) : null,
    maxWaitMinutes: settings.screening.maxWaitMinutes,
    proofs,
    selfHosted: { autoConfirm: autoConfirmSelfHosted, byTwo: fourEyes.review, ...selfHosted },
    allowedFlows: walletVerification.allowedFlows,
    now,
  };
}

/** Why the lists were not searched. One that does not load in time is missing, as for a transfer that waits for it. */
function stateOf({ kind }: ListsUnavailable, sanctions: ScreeningDeps['sanctions']): ListState {
  return kind === 'LISTS_MISSING' || doListsNotLoad(sanctions) ? 'MISSING' : 'LOADING';
}

async function routeOf(
  deps: PreflightDeps,
  { record }: OpenTransaction,
  { receiver, dispute, skipped }: KnownCounterparty,
): Promise<ForeseenRoute> {
  const { db } = deps;
  const leadsElsewhere = receiver?.leadsElsewhere ?? false;
  const nowhere = { skipped, mailbox: null, leadsElsewhere, brakeId: null };
  if (record.direction === 'INCOMING' || isSelfHosted(record)) return { ...nowhere, outcome: 'NONE' };
  if (!receiver) return { ...nowhere, outcome: dispute ? 'ADDRESS_DISPUTED' : 'NOT_FOUND' };
  if (await isSuspended(db.pool, receiver.tenantId)) return { ...nowhere, outcome: 'NOT_REACHABLE' };
  const brakeId = await brakeBefore(db.pool, record.tenantId, receiver);
  if (receiver.network === 'EMAIL' && !deps.sendsMails)
    return { ...nowhere, brakeId, outcome: 'NOT_REACHABLE', skipped: [...skipped, 'EMAIL:NO_MAIL_SERVER'] };
  const mailbox = await standingOf(db.pool, receiver);
  return { ...nowhere, brakeId, outcome: receiver.network, mailbox };
}

/** The brake of either side on the way of the message, as the delivery looks for it; null without one. */
async function brakeBefore(
  db: Queryable,
  senderTenantId: string,
  receiver: RoutedCounterparty,
): Promise<string | null> {
  const isOutside = receiver.network === 'TRP' || receiver.network === 'EMAIL';
  const receiverTenantId = isOutside ? null : receiver.tenantId;
  const entities = await entitiesOnWay(db, { senderTenantId, receiverTenantId });
  const receiverEntityId = receiver.network === 'NATIVE' ? entities.receiverEntityId : receiver.entityId;
  const way = { ...entities, receiverEntityId, senderTenantId, receiverTenantId };
  return (await findBrakeOnWay(db, way)) ?? null;
}

/** What is known of the mailbox that would get the message; null for every other network. */
async function standingOf(db: Queryable, receiver: RoutedCounterparty): Promise<MailboxTrust | null> {
  if (receiver.network !== 'EMAIL') return null;
  return mailboxTrust(receiver.address, await mailDomainsOf(db, receiver.entityId));
}

interface Judging {
  compared: readonly ComparedParty[];
  context: ScreeningContext;
  now: Date;
}

async function judge(
  deps: PreflightDeps,
  { record }: OpenTransaction,
  judging: Judging,
): Promise<JudgedPreflight> {
  const { tenantId } = record;
  const wallet = otherWallet(record);
  const observed = wallet && (await observeBefore(deps.walletIntelligence, tenantId, wallet));
  return await deps.readInTurn(
    tenantId,
    async () => await judgeObserved(deps, record, { ...judging, observed }),
  );
}

async function judgeObserved(
  deps: PreflightDeps,
  record: TransactionRecord,
  { compared, context, now, observed }: Judging & { observed: WalletIntelligence | null },
): Promise<JudgedPreflight> {
  const screening: TransactionScreening = {
    id: record.id,
    recordVersion: record.version,
    screenedAt: now.toISOString(),
    sanctions: sanctionsOf(compared, []),
    otherWallet: otherWallet(record),
    ...(await knownFindings(deps.aml, record, { context, observed })),
    notAsked: notAskedOf(record, context.amlProvider),
    counterparty: context.counterparty,
  };
  const ruled = await applyRules(deps.db, { record, screening, context, now });
  const { holdIncomplete } = context.settings;
  const verdict = combineFindings(record, screening, ruled, { holdIncomplete });
  return { screening, evaluation: ruled?.evaluation ?? null, verdict };
}

/** What is known of the other wallet without asking a provider, by what nodes have `observed`. */
async function knownFindings(
  aml: Aml,
  record: TransactionRecord,
  { context: { amlProvider }, observed }: { context: ScreeningContext; observed: WalletIntelligence | null },
): Promise<Pick<TransactionScreening, 'aml' | 'wallet'>> {
  const wallet = otherWallet(record);
  if (!wallet) return { aml: null, wallet: null };
  const { tenantId } = record;
  const answer = amlProvider === null ? null : await knownAmlFinding(aml, tenantId, amlProvider, wallet);
  const classified = observed && (await classifyByOwnData(observed, tenantId, wallet));
  return { aml: answer, wallet: classified && walletFinding({ ...classified, id: null }) };
}
