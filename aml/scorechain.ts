import { z } from 'zod';
import { chainCode } from '../domain/aml/chain-codes.ts';
import { ProviderFault } from '../domain/aml/fault.ts';
import { findingOf, nothingKnown, type AmlExposure } from '../domain/aml/finding.ts';
import { scoreOf } from '../domain/aml/score.ts';
import { typeOfWord } from '../domain/aml/type-maps.ts';
import type { AnswerReading, AmlVendor } from './http-provider.ts';
import { exposureOf, vendorText } from './vendor-fields.ts';

const Key = z.string();
/** 100 is safe. */
const score = z.number().min(0).max(100);

const ScorechainParty = z.object({
  name: vendorText.nullish(),
  type: z.string().nullish(),
  country: vendorText.nullish(),
  percentage: z.number().min(0).max(100).nullish(),
  amount: z.number().nullish(),
  amountUsd: z.number().nullish(),
});
type ScorechainParty = z.output<typeof ScorechainParty>;

const Side = z
  .object({
    hasResult: z.boolean().nullish(),
    result: z
      .object({
        score: score.nullish(),
        details: z.union([z.array(ScorechainParty).max(10_000), ScorechainParty]).nullish(),
      })
      .nullish(),
  })
  .nullish();

const Answer = z.object({
  lowestScore: score.nullable(),
  analysis: z.object({ assigned: Side, incoming: Side, outgoing: Side }),
});
const Refusal = z.object({ error: z.string() });
const MOST_EXPOSURES = 500;

/**
 * Scorechain: one request for everything. Its scores run the other way, 100 being safe; the lowest of all sides counts.
 * Written from descriptions of its API; not tried against the live service.
 */
export const scorechain: AmlVendor = {
  code: 'scorechain',
  rereadIsFree: false,
  creditsPerCheck: 1,
  readableStatuses: [404, 422],
  analyse({ kind, blockchain, value }, key) {
    const code = chainCode('scorechain', blockchain);
    if (code === undefined) return undefined;
    return {
      method: 'POST',
      path: '/v1/scoringAnalysis',
      headers: { 'X-API-KEY': Key.parse(key), 'Content-Type': 'application/json' },
      body: JSON.stringify({
        analysisType: 'FULL',
        objectType: kind === 'wallet' ? 'ADDRESS' : 'TRANSACTION',
        objectId: value,
        blockchain: code,
        coin: 'ALL',
      }),
    };
  },
  reread: () => undefined,
  read: ({ status, body }) => (status >= 400 ? readRefusal(body, status) : readAnalysis(body)),
};

function readRefusal(body: unknown, status: number): AnswerReading {
  const { error } = Refusal.parse(body);
  if (!error.startsWith('NOT_FOUND')) throw new ProviderFault('REQUEST_REFUSED', { status });
  return { finding: nothingKnown('NOT_FOUND'), providerRef: null, unmappedTerms: [] };
}

function readAnalysis(body: unknown): AnswerReading {
  const { lowestScore, analysis } = Answer.parse(body);
  const owner = partiesOf(analysis.assigned)[0];
  const sides = [
    ...partiesOf(analysis.incoming).map((party) => ({ party, direction: 'incoming' as const })),
    ...partiesOf(analysis.outgoing).map((party) => ({ party, direction: 'outgoing' as const })),
  ].slice(0, MOST_EXPOSURES);
  const entity = owner && entityOf(owner);
  const finding = findingOf({
    ...scoreOf(lowestScore, '0 to 100, high is safe'),
    entity: entity ?? null,
    sanctioned: entity?.type === 'sanction_list' ? true : null,
    exposures: sides.map(({ party, direction }) => toExposure(party, direction)),
  });
  return {
    finding,
    providerRef: null,
    unmappedTerms: unmappedTermsOf([...(owner ? [owner] : []), ...sides.map(({ party }) => party)]),
  };
}

function partiesOf(side: z.output<typeof Side>): ScorechainParty[] {
  if (side?.hasResult === false) return [];
  return [side?.result?.details ?? []].flat();
}

function entityOf({ name, type, country }: ScorechainParty) {
  return { name: name ?? null, type: typeOfWord('scorechain', type ?? '').type, country: country ?? null };
}

function toExposure(party: ScorechainParty, direction: AmlExposure['direction']): AmlExposure {
  return exposureOf({
    entityName: party.name ?? null,
    type: typeOfWord('scorechain', party.type ?? '').type,
    direction,
    share: typeof party.percentage === 'number' ? party.percentage / 100 : null,
    amount: party.amount ?? null,
    amountUsd: party.amountUsd ?? null,
  });
}

function unmappedTermsOf(parties: readonly ScorechainParty[]): string[] {
  const words = parties.flatMap(({ type }) => (typeof type === 'string' ? [type] : []));
  return [...new Set(words.filter((word) => !typeOfWord('scorechain', word).isKnown))];
}
