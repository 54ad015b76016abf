import { setTimeout as delay } from 'node:timers/promises';
import { ProviderFault } from '../domain/aml/fault.ts';
import { nothingKnown, type AmlSubject, type AmlFinding } from '../domain/aml/finding.ts';
import type { ProviderCode } from '../domain/aml/service-key.ts';
import type { AmlProvider, ProviderAnswer } from './provider.ts';
import type { VendorAnswer, VendorHttp, VendorRequest } from './vendor-http.ts';

/** A vendor's answer in the form that all vendors share. */
export interface AnswerReading {
  finding: AmlFinding;
  providerRef: string | null;
  unmappedTerms: readonly string[];
}

/** The requests and answers of a vendor; one file each, without any I/O. */
export interface AmlVendor {
  readonly code: ProviderCode;
  readonly rereadIsFree: boolean;
  readonly creditsPerCheck: number;
  /** Statuses other than success whose bodies `read` understands. */
  readonly readableStatuses: readonly number[];
  /** The paid request; undefined when the vendor does not know the chain. Throws ProviderFault. */
  analyse(subject: AmlSubject, key: unknown): VendorRequest | undefined;
  /** The request that reads a check by the vendor's id; undefined when the vendor cannot do that. */
  reread(reference: string, subject: AmlSubject, key: unknown): VendorRequest | undefined;
  /** `body` is parsed JSON, undefined if the answer is not JSON. Throws ProviderFault and zod's errors, which become BAD_ANSWER. */
  read(answer: { status: number; body: unknown }, subject: AmlSubject): AnswerReading;
}

export interface RetryPolicy {
  /** Pauses before the second and the third attempt if the vendor names no time, in milliseconds. */
  retryMs: readonly number[];
  /** A vendor that asks for a longer pause gets no further request. In milliseconds. */
  maxWaitMs: number;
}

const DEFAULT_RETRIES: RetryPolicy = { retryMs: [300, 1_000], maxWaitMs: 5_000 };
const AGAIN = new Set([429, 502, 503]);

/** Makes a provider of a vendor that is reached by HTTP. */
export function httpProvider(
  vendor: AmlVendor,
  baseUrl: string,
  http: VendorHttp,
  retryPolicy: RetryPolicy = DEFAULT_RETRIES,
): AmlProvider {
  async function ask(
    request: VendorRequest | undefined,
    subject: AmlSubject,
    credits: number,
  ): Promise<ProviderAnswer> {
    if (!request) return unsupported();
    const answer = await sendWithRetries(http, baseUrl, request, retryPolicy);
    const isSuccess = answer.status >= 200 && answer.status < 300;
    if (!isSuccess && !vendor.readableStatuses.includes(answer.status)) throw faultOfStatus(answer);
    const reading = readStrictly(vendor, answer, { subject, isPaid: isSuccess && credits > 0 });
    // A vendor does not charge for a check without a finding.
    const isCharged = isSuccess && reading.finding.status !== 'UNSUPPORTED';
    return { ...reading, raw: answer.text, credits: isCharged ? credits : 0 };
  }

  return {
    code: vendor.code,
    isOwnData: false,
    rereadIsFree: vendor.rereadIsFree,
    analyse: async (subject, { key }) =>
      await ask(vendor.analyse(subject, key), subject, vendor.creditsPerCheck),
    reread: async (reference, subject, { key }) => {
      const request = vendor.reread(reference, subject, key);
      // Not every check can be read by its id.
      if (!request) return await ask(vendor.analyse(subject, key), subject, vendor.creditsPerCheck);
      const answer = await ask(request, subject, 0);
      // The check existed before: an answer that it is unknown must not replace the earlier finding.
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
    unmappedTerms: [],
  };
}

/** Retries only if the vendor cannot have done the work: no connection, or a status that says it is busy. */
async function sendWithRetries(
  http: VendorHttp,
  baseUrl: string,
  request: VendorRequest,
  { retryMs, maxWaitMs }: RetryPolicy,
): Promise<VendorAnswer> {
  for (const ownWaitMs of retryMs) {
    const answer = await http.send(baseUrl, request).catch((error: unknown) => {
      if (error instanceof ProviderFault && error.code === 'UNREACHABLE') return undefined;
      throw error;
    });
    if (answer && !AGAIN.has(answer.status)) return answer;
    const waitMs = answer?.retryAfterMs ?? ownWaitMs;
    if (answer && waitMs > maxWaitMs) return answer;
    await delay(waitMs);
  }
  return await http.send(baseUrl, request);
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
  { subject, isPaid }: { subject: AmlSubject; isPaid: boolean },
): AnswerReading {
  const { status, text } = answer;
  try {
    return vendor.read({ status, body: jsonOf(text) }, subject);
  } catch (error) {
    if (error instanceof ProviderFault && error.code !== 'BAD_ANSWER') throw error;
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
