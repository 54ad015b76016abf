import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type autocannon from 'autocannon';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { recoverMessageAddress } from 'viem/utils';
import { withProgress } from '../standalone/progress.ts';
import type { Figure } from './figure.ts';
import type { Ground } from './ground.ts';
import { pairedRounds } from './paired-rounds.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { sendAll, type SentAll } from './send-all.ts';
import { median, percentile } from './statistics.ts';

const CONNECTIONS = 32;
const GOAL_RATIO = 0.6;
/** Proofs per connection in each round, and how many are recovered bare before and after. */
const FULL = { rounds: 3, warmUp: 30, proofs: 60, bare: 1_500 };
const QUICK = { rounds: 1, warmUp: 3, proofs: 5, bare: 100 };

interface Proof {
  id: string;
  message: string;
  signature: Hex;
}

/**
 * (h) Signatures that are taken over HTTP, each for a verification of its own, against the bare recovery of their signers
 * on one core. The api is one process and computes on one core, what it recovers included.
 */
export async function measureVerificationRate(ground: Ground, quick: boolean): Promise<Figure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(ground);
  const api = await withProgress(ground.log, 'Starting the api', startApi(ground, deployment));
  const tenant = await api.createTenant('Bench Exchange');
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(ground.log, `(h) ${name}`, work);
  const perRound = CONNECTIONS * size.proofs;
  const made = makeProofs(tenant, CONNECTIONS * size.warmUp + perRound * size.rounds);
  const proofs = await step('verifications and their signatures', made);
  const warmUp = proofs.splice(0, CONNECTIONS * size.warmUp);
  await step('warming up', submitAll(api, tenant, warmUp));
  const { ratio, limit, rounds } = await pairedRounds(
    size.rounds,
    async (round) => await step(`bare recovery ${round}`, bareRate(warmUp, size.bare)),
    async (round) => await step(`proofs, round ${round}`, submitAll(api, tenant, proofs.splice(0, perRound))),
  );
  await api.stop();
  const rate = median(rounds.map((round) => round.rate));
  const cpuMs = median(rounds.map((round) => round.cpuMs));
  const p99 = median(rounds.map(({ times }) => percentile(times, 0.99)));
  return [
    {
      measure: 'h',
      name: `signature proofs over HTTP, ${CONNECTIONS} connections`,
      value:
        `${ratio.toFixed(2)} (${rate.toFixed(0)}/s, ${cpuMs.toFixed(2)} ms of the api's CPU each, ` +
        `p99 ${p99.toFixed(0)} ms)`,
      comparedTo: `bare recovery of the signer, ${limit.toFixed(0)}/s on one core`,
      goal: GOAL_RATIO.toFixed(2),
      met: ratio >= GOAL_RATIO,
      reason:
        `${(1_000 / rate).toFixed(2)} ms pass for each proof while the api computes ${cpuMs.toFixed(2)} ms, ` +
        `the recovery alone takes ${(1_000 / limit).toFixed(2)} ms; database and client share the cores`,
    },
  ];
}

/** Verifications that wait, each with what the owner of its wallet signs. */
async function makeProofs({ api }: BenchTenant, count: number): Promise<Proof[]> {
  const one = async (): Promise<Proof> => {
    const wallet = privateKeyToAccount(`0x${randomBytes(32).toString('hex')}`);
    const body = { asset: 'ETH', blockchain: 'Ethereum', address: wallet.address };
    const { id } = await api.post<{ id: string }>('/wallet-verification', body);
    const message = `${wallet.address} is mine.\nVerification ${id}`;
    return { id, message, signature: await wallet.signMessage({ message }) };
  };
  const proofs: Proof[] = [];
  while (proofs.length < count) proofs.push(...(await Promise.all(Array.from({ length: CONNECTIONS }, one))));
  return proofs;
}

/** Signers recovered per second by this process, one after the other. */
async function bareRate(proofs: readonly Proof[], count: number): Promise<number> {
  const startedMs = performance.now();
  for (let n = 0; n < count; n += 1) {
    const proof = proofs[n % proofs.length];
    if (proof) await recoverMessageAddress(proof);
  }
  return (count * 1_000) / (performance.now() - startedMs);
}

interface Submitted extends SentAll {
  /** Of the api, for each proof. */
  cpuMs: number;
}

/** The proofs in equal parts for each connection. */
async function submitAll(
  { url, pid }: RunningApi,
  tenant: BenchTenant,
  proofs: readonly Proof[],
): Promise<Submitted> {
  const each = proofs.length / CONNECTIONS;
  const lists = Array.from({ length: CONNECTIONS }, (_, index) =>
    proofs.slice(each * index, each * (index + 1)).map(toRequest),
  );
  const cpuBefore = cpuMsOf(pid);
  const sent = await sendAll(url, tenant, lists);
  return { ...sent, cpuMs: (cpuMsOf(pid) - cpuBefore) / proofs.length };
}

/** What a process has computed so far, all its threads; NaN where the system has no such file. */
function cpuMsOf(pid: number): number {
  try {
    // After the name in brackets: the state, ten numbers, then the hundredths in the program and in the system.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

function toRequest({ id, message, signature }: Proof): autocannon.Request {
  return {
    path: `/wallet-verification/${id}/verification`,
    headers: { 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({ verificationFlow: 'SIGNATURE_PROOF', message, signature }),
  };
}
