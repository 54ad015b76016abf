import type { NameKind } from '../sanctions/list-entry.ts';
import type { MatchQualifier } from '../sanctions/qualifiers.ts';
import { categoriesOf } from './categories.ts';
import { isIdentified, type FoundMatch, type FoundWallet } from './found-match.ts';
import { detailsOf } from './lists.ts';
import type { MatchView } from './schema.ts';
import type { ScreeningSettings } from './settings.ts';
import { viewListings } from './view-listings.ts';

type Thresholds = Pick<ScreeningSettings, 'reviewThreshold' | 'matchThreshold'>;

/**
 * Whether a match makes its subject count as sanctioned. A weak alias never does by name alone, and an equal identifier
 * never does alone, whatever the tenant's threshold.
 */
export function isDecisive(
  match: Pick<FoundMatch, 'score' | 'matchedName' | 'qualifiers'>,
  { matchThreshold }: Thresholds,
): boolean {
  if (match.score < matchThreshold || match.matchedName === undefined) return false;
  return match.matchedName.kind !== 'weak' || isIdentified(match);
}

/** A match of a name in responses. `today` is YYYY-MM-DD. */
export function viewMatch(match: FoundMatch, thresholds: Thresholds, today: string): MatchView {
  const { entry, matchedName, queryName = null, parts, qualifiers, score } = match;
  return {
    ...viewEntry(match, today, matchedName?.text),
    flagSummary: [...entryFlags(match), ...nameFlags(match), ...qualifiers.flatMap(qualifierFlag)],
    riskLevel: riskLevel(match, thresholds),
    riskScore: Math.round(score * 10_000) / 100,
    explanation: {
      matchedName: matchedName?.text ?? null,
      matchedNameKind: matchedName?.kind ?? null,
      queryName,
      parts,
      qualifiers,
      score,
    },
    type: entry.type,
  };
}

/** A match of an address in responses: always exact, so its score is 1. */
export function viewWallet(match: FoundWallet, address: string, today: string): MatchView {
  const assets = [...new Set(match.wallets.map(({ asset }) => asset))];
  const listed = match.wallets[0]?.address ?? address;
  return {
    ...viewEntry(match, today),
    flagSummary: [...entryFlags(match), ...assets.map((asset) => `Listed crypto address (${asset})`)],
    riskLevel: 'high',
    riskScore: 100,
    explanation: {
      matchedName: null,
      matchedNameKind: null,
      queryName: null,
      parts: [],
      qualifiers: [{ kind: 'wallet', outcome: 'equal', query: address, listed, effect: 0 }],
      score: 1,
    },
    type: match.entry.type,
  };
}

function viewEntry({ entry, entryHash, version }: FoundWallet | FoundMatch, today: string, matched?: string) {
  const names = [...new Set(entry.names.map(({ text }) => text))];
  const name = entry.names.find(({ kind }) => kind === 'primary')?.text ?? names[0] ?? '';
  const aliases = names.filter((text) => text !== name);
  const first = aliases.filter((text) => text === matched);
  return {
    name,
    categories: categoriesOf(entry),
    countries: [...new Set(entry.countries)],
    aliases: [...first, ...aliases.filter((text) => text !== matched)],
    sanctions: viewListings(entry, today),
    listCode: entry.list,
    listingId: entry.sourceId,
    listVersion: version,
    entryHash,
  };
}

function riskLevel(match: FoundMatch, thresholds: Thresholds): MatchView['riskLevel'] {
  if (isDecisive(match, thresholds)) return 'high';
  return match.score >= thresholds.reviewThreshold || isIdentified(match) ? 'medium' : 'low';
}

function entryFlags({ entry }: FoundWallet | FoundMatch): string[] {
  const isSecondary = /secondary sanctions risk/i.test(entry.remarks ?? '');
  return [detailsOf(entry.list).short, ...(isSecondary ? ['Secondary sanctions risk'] : [])];
}

const KIND_WORDS: Record<NameKind, string> = {
  primary: '',
  aka: ' via a.k.a.',
  fka: ' via f.k.a.',
  weak: ' via weak a.k.a.',
  original_script: ' in the original script',
};

function nameFlags({ matchedName, score }: FoundMatch): string[] {
  return matchedName ? [`Name ${score.toFixed(2)}${KIND_WORDS[matchedName.kind]}`] : [];
}

const QUALIFIER_WORDS: Record<MatchQualifier['kind'], string> = {
  birth_date: 'Birth date',
  country: 'Country',
  gender: 'Gender',
  identifier: 'Identifier',
};
const OUTCOME_WORDS = { equal: 'agrees', near: 'is close', different: 'differs' };

function qualifierFlag({ kind, outcome }: MatchQualifier): string[] {
  return [`${QUALIFIER_WORDS[kind]} ${OUTCOME_WORDS[outcome]}`];
}
