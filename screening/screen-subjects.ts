import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { insertScreenings, screeningWriter } from '../db/screenings/insert-screenings.ts';
import { circumstancesReader, type TenantCircumstances } from '../db/screenings/read-circumstances.ts';
import { sealScreening, subjectToken, type SealedScreening } from '../db/screenings/screening-row.ts';
import { invalidField } from '../domain/errors.ts';
import { walletKey } from '../domain/sanctions/wallet-key.ts';
import type { ListState } from '../domain/screening/list-state.ts';
import {
  leastScore,
  makeAddressScreening,
  makeNameScreening,
  type Suppressed,
} from '../domain/screening/make-screening.ts';
import type { AskedBy, SanctionsSearchBody, Screening } from '../domain/screening/schema.ts';
import { identityText, isScreenable, queryOf } from '../domain/screening/subject.ts';
import type { Screener } from './screener.ts';

/** Whom to screen. */
type Subject =
  | { kind: 'NAME'; body: SanctionsSearchBody }
  /** Trimmed. */
  | { kind: 'ADDRESS'; address: string };

/** An answer that is ready to be stored, and must be before it is given. */
export interface PreparedScreening {
  screening: Screening;
  /** Its JSON as it is sent. */
  json: Buffer;
  sealed: SealedScreening;
}

interface Request {
  tenantId: string;
  askedBy: AskedBy;
  subject: Subject;
}

export interface SubjectScreener {
  /** Searches, with nothing stored. Throws temporarily_unavailable, validation_failed for a list that is not active. */
  prepare: (request: Request) => Promise<PreparedScreening>;
  /** Stores an answer, together with those that come at the same time. */
  store: (prepared: PreparedScreening) => Promise<void>;
  /**
   * Screens subjects for the service itself and keeps the answers, in the order of the subjects; null for a name without
   * a letter or digit, which can be compared with nothing. Throws temporarily_unavailable.
   */
  screenSubjects: (tenantId: string, subjects: readonly Subject[]) => Promise<(Screening | null)[]>;
}

/** More than anybody reads. */
const MAX_MATCHES = 100;

/** Screens subjects of tenants by their settings, and keeps every answer. */
export function subjectScreener(db: Database, screener: Screener): SubjectScreener {
  const readCircumstances = circumstancesReader(db);
  const write = screeningWriter(db);
  const prepare = async ({ tenantId, askedBy, subject }: Request): Promise<PreparedScreening> => {
    const states = await screener.activeLists();
    const keys = await db.vault.tenantKeys(tenantId);
    const token = subjectToken(keys, identityOf(subject));
    const circumstances = await readCircumstances({ tenantId, subjectToken: token });
    const screening = await answer(screener, subject, { circumstances, states, askedBy });
    const json = Buffer.from(JSON.stringify(screening));
    return { screening, json, sealed: sealScreening(keys, tenantId, screening, json, token) };
  };
  return {
    prepare,
    store: async ({ sealed }) => await write(sealed),
    screenSubjects: async (tenantId, subjects) => {
      const askedBy = { kind: 'SYSTEM' as const, id: null };
      const prepared = await Promise.all(
        subjects.map(async (subject) =>
          subject.kind === 'NAME' && !isScreenable(subject.body)
            ? null
            : await prepare({ tenantId, askedBy, subject }),
        ),
      );
      await insertScreenings(
        db.pool,
        prepared.flatMap((made) => made?.sealed ?? []),
      );
      return prepared.map((made) => made?.screening ?? null);
    },
  };
}

function identityOf(subject: Subject): string {
  return subject.kind === 'NAME' ? identityText(subject.body) : `address:${walletKey(subject.address)}`;
}

interface Surroundings {
  circumstances: TenantCircumstances;
  states: readonly ListState[];
  askedBy: AskedBy;
}

async function answer(
  screener: Screener,
  subject: Subject,
  { circumstances: { settings, suppressed }, states, askedBy }: Surroundings,
): Promise<Screening> {
  const around = () => {
    const now = new Date();
    return { id: newId(now), now, askedBy, settings, states };
  };
  if (subject.kind === 'ADDRESS') {
    const { address } = subject;
    return makeAddressScreening(address, await screener.findWallet(address), around());
  }
  const { body } = subject;
  requireActive(body.lists, states);
  const options = {
    limit: MAX_MATCHES,
    threshold: leastScore(body, settings),
    ...(body.lists && { lists: body.lists }),
  };
  const findings = await screener.searchName({ query: queryOf(body), options });
  return makeNameScreening(body, findings, suppressedBy(suppressed), around());
}

/** A list that is not there must not be answered with "not sanctioned". */
function requireActive(requested: readonly string[] = [], states: readonly ListState[]): void {
  const place = requested.findIndex((code) => !states.some((list) => list.code === code));
  if (place < 0) return;
  throw invalidField(`/lists/${place}`, 'unknown_list', 'There is no active list of this code.');
}

function suppressedBy(entries: TenantCircumstances['suppressed']): Suppressed {
  return ({ entry, entryHash }) =>
    entries.some(
      ({ listCode, sourceId, rowHash }) =>
        listCode === entry.list && sourceId === entry.sourceId && rowHash === entryHash,
    );
}
