import { createHash } from 'node:crypto';
import { z } from 'zod';
import { chainCode } from '../domain/aml/chain-codes.ts';
import { ProviderFault } from '../domain/aml/fault.ts';
import { findingOf, nothingKnown, stillAnalysed, type AmlSubject } from '../domain/aml/finding.ts';
import { scoreOf } from '../domain/aml/score.ts';
import { typeOfWord } from '../domain/aml/type-maps.ts';
import { isStillRunning, requireSameSubject } from './check-answer.ts';
import type { AnswerReading, AmlVendor } from './http-provider.ts';
import { refusalMeaning } from './refusal-words.ts';
import { plainText, readSignals, share, Signals, vendorId, vendorText } from './vendor-fields.ts';
import type { VendorRequest } from './vendor-http.ts';

const Key = z.string();

const Meta = z.object({ error_code: z.int(), error_message: z.string().nullish() });
const Data = z.object({
  id: vendorId.nullish(),
  status: z.string().nullish(),
  address: z.string().nullish(),
  currency: z.string().nullish(),
  direction: z.string().nullish(),
  tx: z.string().nullish(),
  riskscore: share.nullish(),
  signals: Signals,
  counterparty: z
    .object({ id: vendorId.nullish(), name: vendorText.nullish(), category: z.string().nullish() })
    .nullish(),
  alert_grade: z.string().nullish(),
});
const Answer = z.object({ meta: Meta, data: Data.nullish() });

/**
 * Crystal (Expert API): a transaction is added to the monitor and read again by its id there, a wallet is a
 * one-time check. Written from descriptions of its API; not tried against the live service.
 */
export const crystal: AmlVendor = {
  code: 'crystal',
  rereadIsFree: false,
  creditsPerCheck: 1,
  readableStatuses: [404],
  analyse(subject, key) {
    const currency = chainCode('crystal', subject.blockchain);
    if (currency === undefined) return undefined;
    const { kind, value, direction, contextAddress } = subject;
    if (kind === 'wallet') return form('/monitor/one-time-check', key, { address: value, currency });
    return form('/monitor/tx/add', key, {
      tx: value,
      currency,
      // The monitor groups by customer; a hash hides the customer from the vendor.
      name: createHash('sha256').update(`${currency}:${value}`).digest('hex').slice(0, 16),
      ...(contextAddress !== null && { address: contextAddress }),
      ...(direction !== null && { direction }),
    });
  },
  // The monitor keeps transactions only.
  reread: (reference, { kind }, key) =>
    kind === 'transaction'
      ? { method: 'GET', path: `/monitor/tx/${encodeURIComponent(reference)}`, headers: headersOf(key) }
      : undefined,
  read: ({ status, body }, subject) => {
    const { meta, data } = Answer.parse(body);
    if (meta.error_code !== 0 || status === 404 || !data) return readRefusal(meta, status);
    return readData(data, subject);
  },
};

function form(path: string, key: unknown, fields: Record<string, string>): VendorRequest {
  return {
    method: 'POST',
    path,
    headers: { ...headersOf(key), 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}

function headersOf(key: unknown): Record<string, string> {
  return { 'X-Auth-Apikey': Key.parse(key) };
}

function readRefusal(
  { error_code: code, error_message: message }: z.infer<typeof Meta>,
  status: number,
): AnswerReading {
  if (code === 0) throw new ProviderFault('BAD_ANSWER');
  const meaning = refusalMeaning(message ?? '');
  if (code === 402 || meaning === 'NO_CREDITS') throw new ProviderFault('NO_CREDITS', { status: 402 });
  if (code === 401 || code === 403) throw new ProviderFault('KEY_REFUSED', { status: code });
  if (meaning === 'KEY_REFUSED') throw new ProviderFault(meaning, { status: 401 });
  const isUnknown = status === 404 || code === 404;
  if (meaning === undefined && !isUnknown) throw new ProviderFault('REQUEST_REFUSED', { status });
  return { finding: nothingKnown(meaning ?? 'NOT_FOUND'), providerRef: null, unmappedTerms: [] };
}

function readData(data: z.output<typeof Data>, subject: AmlSubject): AnswerReading {
  const providerRef = data.id ?? null;
  const { address, currency, direction, tx } = data;
  requireSameSubject('crystal', subject, { address, hash: tx, direction, chain: currency });
  if (isStillRunning(data.status)) return { finding: stillAnalysed(), providerRef, unmappedTerms: [] };
  if (data.riskscore === undefined) throw new ProviderFault('BAD_ANSWER');
  const { unmappedTerms, ...shown } = readSignals('crystal', data.signals);
  const { counterparty } = data;
  const type =
    typeof counterparty?.category === 'string' ? typeOfWord('crystal', counterparty.category).type : null;
  const finding = findingOf({
    ...shown,
    ...scoreOf(data.riskscore, '0 to 1, high is risky'),
    counterparty: counterparty
      ? { id: counterparty.id ?? null, name: counterparty.name ?? null, type }
      : null,
    sanctioned: type === 'sanction_list' ? true : null,
    alerts: typeof data.alert_grade === 'string' ? [`grade:${plainText(data.alert_grade)}`] : [],
  });
  return { finding, providerRef, unmappedTerms };
}
