import { setTimeout as delay } from 'node:timers/promises';
import { ProviderFault } from '../domain/aml/fault.ts';
import { nothingKnown, type AmlSubject, type AmlFinding } from '../domain/aml/finding.ts';
import type { ProviderCode } from '../domain/aml/service-key.ts';
import type { AmlProvider, ProviderAnswer } from './provider.ts';
import type { VendorAnswer, VendorHttp, VendorRequest } from './vendor-http.ts';

/** What an answer says, in the form of all vendors. */
export interface AnswerReading {
  finding: AmlFinding;
  providerRef: string | null;
  gaps: readonly string[];
}

/** A vendor in terms of its requests and answers; one file each, without any I/O. */
export interface AmlVendor {
  readonly code: ProviderCode;
  readonly rereadsFree: boolean;
  readonly creditsPerCheck: number;
  /** Statuses other than success whose answers `read` understands. */
  readonly telling: readonly number[];
  /** The paid request; undefined when the vendor does not know the chain. Throws ProviderFault. */
  analyse(subject: AmlSubject, key: unknown): VendorRequest | undefined;
  /** The request for what the vendor knows by an id. */
  reread(reference: string, subject: AmlSubject, key: unknown): VendorRequest | undefined;
  /** `body` is parsed JSON, undefined where the answer is none. Throws ProviderFault and whatever zod throws. */
  read(answer: { status: number; body: unknown }, subject: AmlSubject): AnswerReading;
}

export interface ProviderPatience {
  /** Before a second and a third try where the vendor names no time, milliseconds. */
  retryMs: readonly number[];
  /** Who asks for more than this gets no further request. */
  longestWaitMs: number;
}

const PATIENCE: ProviderPatience = { retryMs: [300, 1_000], longestWaitMs: 5_000 };
const AGAIN = new Set([429, 502, 503]);

/** A vendor behind its address. */
export function httpProvider(
  vendor: AmlVendor,
  baseUrl: string,
  http: VendorHttp,
  patience: ProviderPatience = PATIENCE,
): AmlProvider {
  async function ask(
    wanted: VendorRequest | undefined,
    subject: AmlSubject,
    credits: number,
  ): Promise<ProviderAnswer> {
    if (!wanted) return unsupported();
    const answer = await sendPatiently(http, baseUrl, wanted, patience);
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (!isSuccess && !vendor.telling.includes(answer.status)) throw faultOfStatus(answer);
    const reading = readStrictly(vendor, answer, subject, isSuccess && credits > 0);
    // What a vendor has nothing on, it does not charge for.
    const isCharged = isSuccess && reading.finding.status !== 'UNSUPPORTED';
    return { ...reading, raw: answer.text, credits: isCharged ? credits : 0 };
  }

  return {
    code: vendor.code,
    isOwnData: false,
    rereadsFree: vendor.rereadsFree,
    analyse: async (subject, { key }) =>
      await ask(vendor.analyse(subject, key), subject, vendor.creditsPerCheck),
    reread: async (reference, subject, { key }) => {
      const wanted = vendor.reread(reference, subject, key);
      // Not everything that has an id can be looked at by it.
      if (!wanted) return await ask(vendor.analyse(subject, key), subject, vendor.creditsPerCheck);
      const answer = await ask(wanted, subject, 0);
      // It was known before: what the vendor cannot find any more must not replace what it has said.
      if (answer.finding.status === 'UNSUPPORTED') throw new ProviderFault('BAD_ANSWER', { status: 200 });
      return answer;
    },
  };
}

function unsupported(): ProviderAnswer {
  return {
    finding: nothingKnown('CHAIN_NOT_SUPPORTED'),
    raw: null,
    providerRef: null,
    credits: 0,
    gaps: [],
  };
}

/** Tries again only where the vendor cannot have done the work: no connection, or its own word that it is busy. */
async function sendPatiently(
  http: VendorHttp,
  baseUrl: string,
  wanted: VendorRequest,
  { retryMs, longestWaitMs }: ProviderPatience,
): Promise<VendorAnswer> {
  for (const ownWaitMs of retryMs) {
    const answer = await http.send(baseUrl, wanted).catch((error: unknown) => {
      if (error instanceof ProviderFault && error.code === 'UNREACHABLE') return undefined;
      throw error;
    });
    if (answer && !AGAIN.has(answer.status)) return answer;
    const waitMs = answer?.retryAfterMs ?? ownWaitMs;
    if (answer && waitMs > longestWaitMs) return answer;
    await delay(waitMs);
  }
  return await http.send(baseUrl, wanted);
}

function faultOfStatus({ status, retryAfterMs }: VendorAnswer): ProviderFault {
  const facts = { status, retryAfterMs };
  if (status === 401 || status === 403) return new ProviderFault('KEY_REFUSED', facts);
  if (status === 402) return new ProviderFault('NO_CREDITS', facts);
  if (status === 429) return new ProviderFault('RATE_LIMITED', facts);
  if (status === 408 || status === 504) return new ProviderFault('TIMED_OUT', facts);
  if (status === 502 || status === 503) return new ProviderFault('UNREACHABLE', facts);
  if (status >= 500) return new ProviderFault('SERVER_ERROR', facts);
  return new ProviderFault(status < 400 ? 'REDIRECTED' : 'REQUEST_REFUSED', facts);
}

function readStrictly(
  vendor: AmlVendor,
  answer: VendorAnswer,
  subject: AmlSubject,
  isPaid: boolean,
): AnswerReading {
  const { status, text } = answer;
  try {
    return vendor.read({ status, body: jsonOf(text) }, subject);
  } catch (error) {
    if (error instanceof ProviderFault) throw error;
    throw new ProviderFault('BAD_ANSWER', { status, isPaid });
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
