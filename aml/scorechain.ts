import { z } from 'zod';
import { chainCode } from '../domain/aml/chain-codes.ts';
import { ProviderFault } from '../domain/aml/fault.ts';
import { findingOf, nothingKnown, type AmlExposure, type AmlSubject } from '../domain/aml/finding.ts';
import { scoreOf } from '../domain/aml/score.ts';
import { typeOfWord } from '../domain/aml/type-maps.ts';
import { riskOfType } from '../domain/aml/type-risk.ts';
import { requireSameSubject } from './check-answer.ts';
import type { AnswerReading, AmlVendor } from './http-provider.ts';
import { exposureOf, vendorText } from './vendor-fields.ts';

const Key = z.string();
const SAFEST = 100;
const score = z.number().min(0).max(SAFEST);

const ScorechainParty = z.object({
  name: vendorText.nullish(),
  type: z.string().nullish(),
  country: vendorText.nullish(),
  percentage: z.number().min(0).max(100).nullish(),
  amount: z.number().nullish(),
  amountUsd: z.number().nullish(),
});
type ScorechainParty = z.output<typeof ScorechainParty>;

const SideResult = z.object({
  score: score.nullish(),
  details: z.union([z.array(ScorechainParty).max(10_000), ScorechainParty]).nullish(),
});
type SideResult = z.output<typeof SideResult>;

const Side = z.object({ hasResult: z.boolean().nullish(), result: SideResult.nullish() }).nullish();
type Side = z.output<typeof Side>;

const Answer = z.object({
  lowestScore: score.nullable(),
  objectId: z.string().nullish(),
  blockchain: z.string().nullish(),
  analysis: z.object({ assigned: Side, incoming: Side, outgoing: Side }),
});
const Refusal = z.object({ error: z.string() });
/** Other things may be missing too: a user, a key. */
const NO_DATA = /^NOT_FOUND(_(WALLET|ADDRESS|TRANSACTION|TX|HASH))?$/;
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
  read: ({ status, body }, subject) =>
    status >= 400 ? readRefusal(body, status) : readAnalysis(body, subject),
};

function readRefusal(body: unknown, status: number): AnswerReading {
  const { error } = Refusal.parse(body);
  if (!NO_DATA.test(error)) throw new ProviderFault('REQUEST_REFUSED', { status });
  return { finding: nothingKnown('NOT_FOUND'), providerRef: null, unmappedTerms: [] };
}

function readAnalysis(body: unknown, subject: AmlSubject): AnswerReading {
  const { lowestScore, analysis, objectId, blockchain } = Answer.parse(body);
  const isWallet = subject.kind === 'wallet';
  requireSameSubject('scorechain', subject, {
    ...(isWallet ? { address: objectId } : { hash: objectId }),
    chain: blockchain,
  });
  const owner = partiesOf(analysis.assigned)[0];
  const sides = [
    ...partiesOf(analysis.incoming).map((party) => ({ party, direction: 'incoming' as const })),
    ...partiesOf(analysis.outgoing).map((party) => ({ party, direction: 'outgoing' as const })),
  ]
    // The sort is stable: parties of one risk stay as the vendor orders them.
    .toSorted((one, other) => riskOf(other.party) - riskOf(one.party))
    .slice(0, MOST_EXPOSURES);
  const entity = owner && entityOf(owner);
  const finding = findingOf({
    ...scoreOf(lowestOf(lowestScore, Object.values(analysis)), '0 to 100, high is safe'),
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

/**
 * The lowest of all scores; null without one. The vendor gives 100 also where no side has a result, and that does not
 * say that the subject is safe.
 */
function lowestOf(lowestScore: number | null, sides: readonly Side[]): number | null {
  const known = sides.map(resultOf).filter((result) => result !== undefined);
  const scores = [lowestScore, ...known.map((result) => result.score)].filter(isNumber);
  if (scores.length === 0) return null;
  const lowest = Math.min(...scores);
  return lowest === SAFEST && !known.some(hasContent) ? null : lowest;
}

function isNumber(score: number | null | undefined): score is number {
  return typeof score === 'number';
}

function hasContent({ score, details }: SideResult): boolean {
  return isNumber(score) || [details ?? []].flat().length > 0;
}

function resultOf(side: Side): SideResult | undefined {
  return side?.hasResult === false ? undefined : (side?.result ?? undefined);
}

function partiesOf(side: Side): ScorechainParty[] {
  return [resultOf(side)?.details ?? []].flat();
}

function entityOf({ name, type, country }: ScorechainParty) {
  return { name: name ?? null, type: typeOfWord('scorechain', type ?? '').type, country: country ?? null };
}

/** Of its type; the riskiest are kept where there are too many. */
function riskOf({ type }: ScorechainParty): number {
  return riskOfType(typeOfWord('scorechain', type ?? '').type);
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
