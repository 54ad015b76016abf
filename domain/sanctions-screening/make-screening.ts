import { ENGINE_VERSION } from '../sanctions/thresholds.ts';
import type { FoundMatch, FoundWallet } from './found-match.ts';
import { missingLists, type ListState, type UsedList } from './list-state.ts';
import type { ANSWERED_BY, AskedBy, SanctionsSearchBody, SanctionsScreening } from './schema.ts';
import type { ScreeningSettings } from './settings.ts';
import { screenedName } from './subject.ts';
import { isDecisive, viewMatch, viewWallet } from './view-match.ts';

/** What a search found, and in which versions. */
export interface SearchFindings<M> {
  matches: readonly M[];
  lists: readonly UsedList[];
  answeredBy: (typeof ANSWERED_BY)[number];
}

/** What an answer is made of beside its findings. */
interface ScreeningInput {
  id: string;
  now: Date;
  askedBy: AskedBy;
  settings: ScreeningSettings;
  /** Every active list, asked or not. */
  states: readonly ListState[];
}

/** Entries that the tenant called false positives for this subject: by list, id and hash. */
export type SuppressedMatch = (match: Pick<FoundMatch, 'entry' | 'entryHash'>) => boolean;

/** The least score that matters: what is shown, and what decides even where a caller wants to see less. */
export function leastScore(body: SanctionsSearchBody, settings: ScreeningSettings): number {
  return Math.min(body.threshold ?? settings.reviewThreshold, settings.matchThreshold);
}

/** The answer to a search for a name; `matches` are all from the least score up. */
export function makeNameScreening(
  body: SanctionsSearchBody,
  { matches, ...findings }: SearchFindings<FoundMatch>,
  isSuppressed: SuppressedMatch,
  around: ScreeningInput,
): SanctionsScreening {
  const { settings } = around;
  const today = dayOf(around.now);
  const review = body.threshold ?? settings.reviewThreshold;
  const standing = matches.filter((match) => !isSuppressed(match));
  const shown = standing.filter(({ score }) => score >= review);
  return {
    ...heading(around, 'NAME', screenedName(body)),
    sanctioned: standing.some((match) => isDecisive(match, settings)),
    totalMatches: shown.length,
    matches: shown.map((match) => viewMatch(match, settings, today)),
    suppressedMatches: matches.length - standing.length,
    ...footing(around, findings, body.lists),
    thresholds: { review, match: settings.matchThreshold },
    request: body,
  };
}

/** The answer to a look-up of an address. Exact matches cannot be suppressed. */
export function makeAddressScreening(
  address: string,
  { matches, ...findings }: SearchFindings<FoundWallet>,
  around: ScreeningInput,
): SanctionsScreening {
  const today = dayOf(around.now);
  const { reviewThreshold: review, matchThreshold: match } = around.settings;
  return {
    ...heading(around, 'ADDRESS', address),
    sanctioned: matches.length > 0,
    totalMatches: matches.length,
    matches: matches.map((found) => viewWallet(found, address, today)),
    suppressedMatches: 0,
    ...footing(around, findings, undefined),
    thresholds: { review, match },
    request: { address },
  };
}

function heading({ id }: ScreeningInput, kind: SanctionsScreening['kind'], name: string) {
  return { id, kind, screenedName: name };
}

function footing(
  { settings, states, now, askedBy }: ScreeningInput,
  { lists, answeredBy }: Omit<SearchFindings<unknown>, 'matches'>,
  requested: readonly string[] | undefined,
) {
  // What has just become active is missing until it is searched, too.
  const searched = states.filter(({ code }) => lists.some((list) => list.code === code));
  const missing = missingLists(settings, searched, requested, now);
  const asked = lists.filter(({ code }) => requested === undefined || requested.includes(code));
  return {
    complete: missing.length === 0,
    missingLists: missing,
    lists: asked.map(({ code, version, publishedAt }) => ({
      code,
      version,
      publishedAt: publishedAt?.toISOString() ?? null,
    })),
    answeredBy,
    engineVersion: ENGINE_VERSION,
    screenedAt: now.toISOString(),
    askedBy,
  };
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10);
}
