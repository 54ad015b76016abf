import { randomBytes, randomUUID } from 'node:crypto';
import type autocannon from 'autocannon';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { recoverMessageAddress } from 'viem/utils';
import { withProgress } from '../standalone/progress.ts';
import { cpuSecondsOf } from './cpu-seconds.ts';
import type { BenchFigure } from './figure.ts';
import type { BenchInstallation } from './installation.ts';
import { pairedRounds } from './paired-rounds.ts';
import { newDeployment, startApi, type BenchTenant, type RunningApi } from './product.ts';
import { sendAll, type SentAll } from './send-all.ts';
import { median, percentile } from './statistics.ts';

const CONNECTIONS = 32;
const GOAL_RATIO = 0.6;
/** `proofs` per connection in each round; `bare` recoveries before and after each round. */
const FULL = { rounds: 3, warmUp: 30, proofs: 60, bare: 1_500 };
const QUICK = { rounds: 1, warmUp: 3, proofs: 5, bare: 100 };

interface Proof {
  id: string;
  message: string;
  signature: Hex;
}

/**
 * (h) Measures accepted signature proofs per second over HTTP, each for its own verification, against the bare recovery of
 * the signers on one core. The api is one process and uses one core, including for the recovery.
 */
export async function measureVerificationRate(
  installation: BenchInstallation,
  quick: boolean,
): Promise<BenchFigure[]> {
  const size = quick ? QUICK : FULL;
  const deployment = await newDeployment(installation);
  const api = await withProgress(installation.log, 'Starting the api', startApi(installation, deployment));
  const tenant = await api.createTenant('Bench Exchange');
  const step = async <T>(name: string, work: Promise<T>) =>
    await withProgress(installation.log, `(h) ${name}`, work);
  const perRound = CONNECTIONS * size.proofs;
  const made = makeProofs(tenant, CONNECTIONS * size.warmUp + perRound * size.rounds);
  const proofs = await step('verifications and their signatures', made);
  const warmUp = proofs.splice(0, CONNECTIONS * size.warmUp);
  await step('warming up', submitAll(api, tenant, warmUp));
  const { ratio, text, limit, rounds } = await pairedRounds(
    installation,
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
      value: `${text}, ${rate.toFixed(0)}/s, ${cpuMs.toFixed(2)} ms of the api's CPU each, p99 ${p99.toFixed(0)} ms`,
      comparedTo: `bare recovery of the signer, ${limit.toFixed(0)}/s on one core`,
      goal: GOAL_RATIO.toFixed(2),
      met: ratio >= GOAL_RATIO,
      reason:
        `${(1_000 / rate).toFixed(2)} ms pass for each proof while the api computes ${cpuMs.toFixed(2)} ms, ` +
        `the recovery alone takes ${(1_000 / limit).toFixed(2)} ms; database and client share the cores`,
    },
  ];
}

/** Creates verifications, each with a message and the signature of its wallet. */
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

/** Recovers signers one after the other in this process; returns the number per second. */
async function bareRate(proofs: readonly Proof[], count: number): Promise<number> {
  const startedMs = performance.now();
  for (let n = 0; n < count; n += 1) {
    const proof = proofs[n % proofs.length];
    if (proof) await recoverMessageAddress(proof);
  }
  return (count * 1_000) / (performance.now() - startedMs);
}

interface Submitted extends SentAll {
  /** CPU time of the api per proof, in milliseconds. */
  cpuMs: number;
}

/** Submits the proofs, in equal parts on all connections. */
async function submitAll(
  { url, pid }: RunningApi,
  tenant: BenchTenant,
  proofs: readonly Proof[],
): Promise<Submitted> {
  const each = proofs.length / CONNECTIONS;
  const lists = Array.from({ length: CONNECTIONS }, (_, index) =>
    proofs.slice(each * index, each * (index + 1)).map(toRequest),
  );
  const cpuBefore = cpuSecondsOf(pid);
  const sent = await sendAll(url, tenant, lists);
  return { ...sent, cpuMs: ((cpuSecondsOf(pid) - cpuBefore) * 1_000) / proofs.length };
}

function toRequest({ id, message, signature }: Proof): autocannon.Request {
  return {
    path: `/wallet-verification/${id}/verification`,
    headers: { 'Idempotency-Key': randomUUID() },
    body: JSON.stringify({ verificationFlow: 'SIGNATURE_PROOF', message, signature }),
  };
}
