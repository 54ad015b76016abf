import { setTimeout as delay } from 'node:timers/promises';
import { completeCheck, failCheck } from '../db/aml/complete-check.ts';
import { findOutcome } from '../db/aml/find-check.ts';
import { noteKeyStatus, type ActiveProvider } from '../db/aml/service-keys.ts';
import { retryWrite } from '../db/retry-write.ts';
import type { CheckRecord, DeliveredFinding } from '../domain/aml/check.ts';
import { ProviderFault } from '../domain/aml/fault.ts';
import type { AmlSubject } from '../domain/aml/finding.ts';
import { FAULTY_ANSWER_KEPT_MS, lifetimeMs } from '../domain/aml/lifetimes.ts';
import type { Aml } from './open-aml.ts';
import type { AmlProvider, ProviderAnswer } from './provider.ts';

/** A claimed row of `aml_checks` and the subject to request from the provider. */
interface ClaimedCheck {
  id: string;
  tenantId: string;
  subject: AmlSubject;
  /** The provider's id of the check; null if the provider does not know the check yet. */
  reread: string | null;
}

const FIRST_POLL_MS = 40;
const MAX_POLL_MS = 400;

/** Requests the check, stores the answer, and only then returns it. Throws ProviderFault after noting it in the row. */
export async function askProvider(
  aml: Aml,
  active: ActiveProvider,
  claimed: ClaimedCheck,
): Promise<DeliveredFinding> {
  const provider = aml.providers[active.provider];
  try {
    const answer = await ask(aml, provider, active, claimed);
    const check = await retryWrite(async () => await store(aml, claimed, answer));
    if (active.isRefused) await noteKeyStatus(aml.db.pool, claimed.tenantId, active.keyId, null);
    if (answer.unmappedTerms.length > 0) {
      aml.onTrouble({
        tenantId: claimed.tenantId,
        provider: provider.code,
        unmappedTerms: answer.unmappedTerms.slice(0, 20),
      });
    }
    return { check, isCached: false, isStale: false, spent: answer.credits };
  } catch (error) {
    if (error instanceof ProviderFault) await noteFault(aml, active, claimed, error);
    throw error;
  }
}

async function ask(
  aml: Aml,
  provider: AmlProvider,
  { key }: ActiveProvider,
  { tenantId, subject, reread }: ClaimedCheck,
): Promise<ProviderAnswer> {
  const account = { tenantId, key };
  return await aml.breakers.run(`${tenantId}:${provider.code}`, async () =>
    reread === null
      ? await provider.analyse(subject, account)
      : await provider.reread(reread, subject, account),
  );
}

async function store(
  aml: Aml,
  { id, tenantId, subject }: ClaimedCheck,
  { finding, raw, providerRef, credits }: ProviderAnswer,
): Promise<CheckRecord> {
  const fetchedAt = aml.now();
  const expiresAt = new Date(fetchedAt.getTime() + lifetimeMs(subject.kind, finding));
  return await completeCheck(aml.db, {
    tenantId,
    id,
    finding,
    raw,
    providerRef,
    credits,
    fetchedAt,
    expiresAt,
  });
}

async function noteFault(
  aml: Aml,
  { keyId, provider }: ActiveProvider,
  { id, tenantId }: ClaimedCheck,
  { code, status, isPaid }: ProviderFault,
): Promise<void> {
  const now = aml.now();
  aml.onTrouble({ tenantId, provider, fault: code, status });
  await failCheck(aml.db.pool, {
    tenantId,
    id,
    fault: code,
    credits: isPaid ? 1 : 0,
    until: new Date(now.getTime() + (isPaid ? FAULTY_ANSWER_KEPT_MS : 0)),
  });
  if (code !== 'KEY_REFUSED' && code !== 'NO_CREDITS') return;
  await noteKeyStatus(aml.db.pool, tenantId, keyId, { status: status ?? 403, at: now });
}

/** Waits for the result of a check that another caller, in any process, has requested. Throws ProviderFault. */
export async function waitForRunningCheck(aml: Aml, tenantId: string, id: string): Promise<CheckRecord> {
  const untilMs = Date.now() + aml.waitMs;
  for (let pauseMs = FIRST_POLL_MS; Date.now() < untilMs; pauseMs = Math.min(pauseMs * 2, MAX_POLL_MS)) {
    await delay(pauseMs);
    const outcome = await findOutcome(aml.db, tenantId, id);
    if (outcome && 'fault' in outcome) throw new ProviderFault(outcome.fault);
    if (outcome) return outcome.check;
  }
  throw new ProviderFault('STILL_ASKED');
}
