import { ENGINE_VERSION } from '../sanctions/thresholds.ts';
import { isIdentified, type FoundMatch, type FoundWallet } from './found-match.ts';
import { missingLists, type ListState, type UsedList } from './list-state.ts';
import type { ANSWERED_BY, AskedBy, SanctionsSearchBody, SanctionsScreening } from './schema.ts';
import type { ScreeningSettings } from './settings.ts';
import { screenedName } from './subject.ts';
import { isDecisive, viewMatch, viewWallet } from './view-match.ts';

/** The matches of a search and the list versions searched. */
export interface SearchFindings<M> {
  matches: readonly M[];
  lists: readonly UsedList[];
  answeredBy: (typeof ANSWERED_BY)[number];
}

/** The input of a screening besides its findings. */
interface ScreeningInput {
  id: string;
  now: Date;
  askedBy: AskedBy;
  settings: ScreeningSettings;
  /** All active lists, searched or not. */
  states: readonly ListState[];
  /** Whether every given name was compared to its end. */
  isReadWhole: boolean;
}

/** Whether the tenant has marked a match as a false positive for this subject: by list, id and hash. */
export type SuppressedMatch = (match: Pick<FoundMatch, 'entry' | 'entryHash'>) => boolean;

/** The lowest relevant score: matches from it on are shown or decide, even if the caller's threshold is higher. */
export function minScore(body: SanctionsSearchBody, settings: ScreeningSettings): number {
  return Math.min(body.threshold ?? settings.reviewThreshold, settings.matchThreshold);
}

/** The screening of a name; `matches` are all matches from `minScore` on, and those by an identifier. */
export function makeNameScreening(
  body: SanctionsSearchBody,
  { matches, ...findings }: SearchFindings<FoundMatch>,
  isSuppressed: SuppressedMatch,
  input: ScreeningInput,
): SanctionsScreening {
  const { settings } = input;
  const isFromIndex = findings.answeredBy === 'INDEX';
  const today = dayOf(input.now);
  const review = body.threshold ?? settings.reviewThreshold;
  const unsuppressed = matches.filter((match) => !isSuppressed(match));
  const shown = unsuppressed.filter((match) => match.score >= review || isIdentified(match));
  return {
    ...heading(input, 'NAME', screenedName(body)),
    sanctioned: unsuppressed.some((match) => isDecisive(match, settings)),
    totalMatches: shown.length,
    matches: shown.map((match) => viewMatch(match, settings, today)),
    suppressedMatches: matches.length - unsuppressed.length,
    // The database, which answers while no index is loaded, does not find every spelling that the index does.
    ...footing({ ...input, isReadWhole: input.isReadWhole && isFromIndex }, findings, body.lists),
    thresholds: { review, match: settings.matchThreshold },
    request: body,
  };
}

/** The screening of an address. Its exact matches cannot be suppressed. */
export function makeAddressScreening(
  address: string,
  { matches, ...findings }: SearchFindings<FoundWallet>,
  input: ScreeningInput,
): SanctionsScreening {
  const today = dayOf(input.now);
  const { reviewThreshold: review, matchThreshold: match } = input.settings;
  return {
    ...heading(input, 'ADDRESS', address),
    sanctioned: matches.length > 0,
    totalMatches: matches.length,
    matches: matches.map((found) => viewWallet(found, address, today)),
    suppressedMatches: 0,
    ...footing(input, findings, undefined),
    thresholds: { review, match },
    request: { address },
  };
}

function heading({ id }: ScreeningInput, kind: SanctionsScreening['kind'], name: string) {
  return { id, kind, screenedName: name };
}

function footing(
  { settings, states, isReadWhole, now, askedBy }: ScreeningInput,
  { lists, answeredBy }: Omit<SearchFindings<unknown>, 'matches'>,
  requested: readonly string[] | undefined,
) {
  // A list that has just become active is missing until it is searched.
  const searched = states.filter(({ code }) => lists.some((list) => list.code === code));
  const missing = missingLists(settings, searched, requested, now);
  const usedLists = lists.filter(({ code }) => requested === undefined || requested.includes(code));
  return {
    complete: missing.length === 0 && isReadWhole,
    missingLists: missing,
    lists: usedLists.map(({ code, version, publishedAt }) => ({
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
