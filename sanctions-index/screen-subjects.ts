import type { Database } from '../db/database.ts';
import type { CachedKey } from '../db/api-keys/cached-key.ts';
import { newId } from '../db/new-id.ts';
import { transferScreeningId, type ScreenedTransfer } from '../db/sanctions-screenings/screened-transfer.ts';
import { suppressionFinder, type SuppressedEntry } from '../db/sanctions-screenings/find-suppressed.ts';
import { screeningWriter } from '../db/sanctions-screenings/insert-screenings.ts';
import {
  sealScreening,
  subjectToken,
  type SealedScreening,
} from '../db/sanctions-screenings/screening-row.ts';
import { invalidField } from '../domain/errors.ts';
import { walletIdentity } from '../domain/sanctions/wallet-key.ts';
import type { FoundMatch } from '../domain/sanctions-screening/found-match.ts';
import type { ListState } from '../domain/sanctions-screening/list-state.ts';
import {
  minScore,
  makeAddressScreening,
  makeNameScreening,
  type SearchFindings,
  type SuppressedMatch,
} from '../domain/sanctions-screening/make-screening.ts';
import type {
  AskedBy,
  SanctionsSearchBody,
  SanctionsScreening,
} from '../domain/sanctions-screening/schema.ts';
import type { ScreeningSettings } from '../domain/sanctions-screening/settings.ts';
import { identityText, isReadWhole, queryOf } from '../domain/sanctions-screening/subject.ts';
import type { NameSearch } from './listed-index.ts';
import type { SanctionsScreener } from './open-screener.ts';

/** The person, organisation or address to screen. */
type ScreeningSubject =
  | { kind: 'NAME'; body: SanctionsSearchBody }
  /** `address` is trimmed. */
  | { kind: 'ADDRESS'; address: string };

/** A screening that must be stored before it is returned to the caller. */
export interface PreparedScreening {
  screening: SanctionsScreening;
  /** JSON of the screening as it is sent. */
  json: Buffer;
  /** Encrypts it for storage. */
  seal: () => SealedScreening;
}

export interface ScreeningRequest {
  tenantId: string;
  /** The tenant's settings, as they were read with the caller or the transaction. */
  settings: ScreeningSettings;
  /** False when the tenant is known to have marked no match as a false positive. */
  hasSuppressions: boolean;
  askedBy: AskedBy;
  subject: ScreeningSubject;
  /**
   * The transfer whose party or wallet the subject is; left out for a screening on request. It is decided by the index
   * alone: the database misses spellings, and nobody would compare the transfer again.
   */
  transfer?: ScreenedTransfer;
}

export interface SubjectScreener {
  /**
   * Searches without storing. Throws temporarily_unavailable, validation_failed for a list that is not active, and for a
   * name of a transfer IndexNotLoaded.
   */
  prepare: (request: ScreeningRequest) => Promise<PreparedScreening>;
  /**
   * Stores a screening together with others that come at the same time. Throws StaleCaller, and stores nothing, when
   * the caller's API key has changed since `cachedKey` was read.
   */
  store: (prepared: PreparedScreening, cachedKey?: CachedKey) => Promise<void>;
  /** How long the index has lacked an active list or its version, in milliseconds. */
  listsBehindMs: () => number;
}

/** No index is loaded, and the database does not find all that it would. */
export class IndexNotLoaded extends Error {
  override name = 'IndexNotLoaded';
}

/** Maximum number of matches in a screening; nobody reads more. */
const MAX_MATCHES = 100;

/** Screens subjects of tenants by the tenants' settings and stores every screening. */
export function subjectScreener(db: Database, screener: SanctionsScreener): SubjectScreener {
  const findSuppressed = suppressionFinder(db);
  const write = screeningWriter(db);
  return {
    prepare: async ({ tenantId, settings, hasSuppressions, askedBy, subject, transfer = null }) => {
      const states = await screener.activeLists();
      const keys = await db.vault.tenantKeys(tenantId);
      const token = subjectToken(keys, identityOf(subject));
      const suppressed = async () =>
        hasSuppressions ? await findSuppressed({ tenantId, subjectToken: token }) : [];
      const screening = await answer(screener, subject, {
        settings,
        suppressed,
        states,
        askedBy,
        search: searchOf(screener, tenantId, transfer !== null),
        idAt: (now) => (transfer === null ? newId(now) : transferScreeningId(transfer, token)),
      });
      const json = Buffer.from(JSON.stringify(screening));
      return {
        screening,
        json,
        seal: () => sealScreening(keys, tenantId, { screening, json, subjectToken: token, transfer }),
      };
    },
    store: async ({ seal }, cachedKey) => await write(seal(), cachedKey),
    listsBehindMs: screener.behindMs,
  };
}

/** How names of the tenant are searched; those of a transfer by the index alone. */
function searchOf(
  { searchName, searchIndex }: SanctionsScreener,
  tenantId: string,
  isOfTransfer: boolean,
): NameSearcher {
  return async (nameSearch) => {
    const findings = await (isOfTransfer ? searchIndex : searchName)(tenantId, nameSearch);
    if (!findings) throw new IndexNotLoaded();
    return findings;
  };
}

function identityOf(subject: ScreeningSubject): string {
  return subject.kind === 'NAME' ? identityText(subject.body) : `address:${walletIdentity(subject.address)}`;
}

type NameSearcher = (nameSearch: NameSearch) => Promise<SearchFindings<FoundMatch>>;

interface SearchContext {
  settings: ScreeningSettings;
  /** Reads the false positives of the subject. Called only when there are matches, which is rare. */
  suppressed: () => Promise<readonly SuppressedEntry[]>;
  states: readonly ListState[];
  askedBy: AskedBy;
  search: NameSearcher;
  idAt: (now: Date) => string;
}

async function answer(
  screener: SanctionsScreener,
  subject: ScreeningSubject,
  { settings, suppressed, states, askedBy, search, idAt }: SearchContext,
): Promise<SanctionsScreening> {
  const context = ({ isReadWhole }: { isReadWhole: boolean }) => {
    const now = new Date();
    return { id: idAt(now), now, askedBy, settings, states, isReadWhole };
  };
  if (subject.kind === 'ADDRESS') {
    const { address } = subject;
    return makeAddressScreening(address, await screener.findWallet(address), context({ isReadWhole: true }));
  }
  const { body } = subject;
  requireActive(body.lists, states);
  const options = {
    limit: MAX_MATCHES,
    threshold: minScore(body, settings),
    ...(body.lists && { lists: body.lists }),
  };
  const query = queryOf(body);
  const findings = await search({ query, options });
  const falsePositives = findings.matches.length === 0 ? [] : await suppressed();
  const whole = context({ isReadWhole: isReadWhole(body, query) });
  return makeNameScreening(body, findings, suppressedBy(falsePositives), whole);
}

/** Refuses a requested list that is not active: the answer must not be "not sanctioned". Throws validation_failed. */
function requireActive(requested: readonly string[] = [], states: readonly ListState[]): void {
  const position = requested.findIndex((code) => !states.some((list) => list.code === code));
  if (position < 0) return;
  throw invalidField(`/lists/${position}`, 'unknown_list', 'There is no active list of this code.');
}

function suppressedBy(entries: readonly SuppressedEntry[]): SuppressedMatch {
  return ({ entry, entryHash }) =>
    entries.some(
      ({ listCode, sourceId, rowHash }) =>
        listCode === entry.list && sourceId === entry.sourceId && rowHash === entryHash,
    );
}
