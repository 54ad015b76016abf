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
import { readSignals, reportUrl, share, Signals, vendorId, vendorText } from './vendor-fields.ts';
import type { VendorRequest } from './vendor-http.ts';

const Key = z.object({ accessId: z.string(), accessKey: z.string() });

const Refusal = z.object({ result: z.literal(false), description: z.string().nullish() });
const Data = z.object({
  uid: vendorId.nullish(),
  status: z.string().nullish(),
  address: z.string().nullish(),
  asset: z.string().nullish(),
  direction: z.string().nullish(),
  tx: z.string().nullish(),
  riskscore: share.nullish(),
  signals: Signals,
  counterparty: z
    .object({ id: vendorId.nullish(), name: vendorText.nullish(), category: z.string().nullish() })
    .nullish(),
  blackListsConnections: z.boolean().nullish(),
  pdfReport: reportUrl.nullish(),
  balance: z.number().nullish(),
});
const Answer = z.object({ result: z.literal(true), data: Data });

/**
 * AMLBot (docs.amlbot.com/webApi): forms, authorised by a hash over the requested value. /recheck shows a check again by
 * its uid without a new credit. Written from descriptions of its API; not tried against the live service.
 */
export const amlbot: AmlVendor = {
  code: 'amlbot',
  rereadIsFree: true,
  creditsPerCheck: 1,
  readableStatuses: [],
  analyse(subject, key) {
    const asset = chainCode('amlbot', subject.blockchain);
    if (asset === undefined) return undefined;
    const { value, kind, direction, contextAddress } = subject;
    return form('/', key, value, {
      hash: value,
      asset,
      ...(kind === 'transaction' && contextAddress !== null && { address: contextAddress }),
      ...(kind === 'transaction' && direction !== null && { direction }),
      locale: 'en_US',
    });
  },
  reread: (reference, _subject, key) => form('/recheck', key, reference, { uid: reference, locale: 'en_US' }),
  read: ({ body }, subject) => {
    const refusal = Refusal.safeParse(body);
    return refusal.success ? readRefusal(refusal.data.description ?? '') : readData(body, subject);
  },
};

function form(path: string, key: unknown, value: string, fields: Record<string, string>): VendorRequest {
  const { accessId, accessKey } = Key.parse(key);
  const token = createHash('md5').update(`${value}:${accessKey}:${accessId}`).digest('hex');
  return {
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ accessId, token, ...fields }).toString(),
  };
}

/** Refusals come with status 200 and a sentence; only unmistakable sentences are distinguished. Throws ProviderFault. */
function readRefusal(description: string): AnswerReading {
  const meaning = refusalMeaning(description);
  if (meaning === 'NO_CREDITS') throw new ProviderFault(meaning, { status: 402 });
  if (meaning === 'KEY_REFUSED') throw new ProviderFault(meaning, { status: 401 });
  if (meaning === undefined) throw new ProviderFault('REQUEST_REFUSED', { status: 200 });
  return { finding: nothingKnown(meaning), providerRef: null, unmappedTerms: [] };
}

function readData(body: unknown, subject: AmlSubject): AnswerReading {
  const { data } = Answer.parse(body);
  const providerRef = data.uid ?? null;
  const { address, asset, direction, tx } = data;
  requireSameSubject('amlbot', subject, { address, hash: tx, direction, chain: asset });
  if (isStillRunning(data.status)) return { finding: stillAnalysed(), providerRef, unmappedTerms: [] };
  // A missing score is a broken answer; the vendor writes null for an unknown score.
  if (data.riskscore === undefined) throw new ProviderFault('BAD_ANSWER');
  const { unmappedTerms, ...shown } = readSignals('amlbot', data.signals);
  const counterparty = counterpartyOf(data.counterparty);
  const finding = findingOf({
    ...shown,
    ...scoreOf(data.riskscore, '0 to 1, high is risky'),
    counterparty,
    sanctioned: counterparty?.type === 'sanction_list' ? true : null,
    stats:
      typeof data.balance === 'number' && subject.kind === 'wallet'
        ? {
            firstSeen: null,
            lastSeen: null,
            txCount: null,
            received: null,
            sent: null,
            balance: data.balance,
          }
        : null,
    alerts: data.blackListsConnections === true ? ['blackListsConnections'] : [],
    providerReportUrl: data.pdfReport ?? null,
  });
  return { finding, providerRef, unmappedTerms };
}

function counterpartyOf(given: z.output<typeof Data>['counterparty']) {
  if (!given) return null;
  const type = typeof given.category === 'string' ? typeOfWord('amlbot', given.category).type : null;
  return { id: given.id ?? null, name: given.name ?? null, type };
}
