import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { LIST_FORMATS } from './list-format.ts';
import { REJECT_REASONS } from './import-checks.ts';
import { KNOWN_LISTS } from './list-code.ts';

const STATES = ['ACTIVE', 'SUPERSEDED', 'REJECTED'] as const;
const SOURCES = ['BUNDLED', 'UPLOAD', 'FETCH', 'ROLLBACK'] as const;
const CHANGES = ['ADDED', 'CHANGED', 'REMOVED'] as const;
const CHECK_OUTCOMES = ['ACTIVATED', 'UNCHANGED', 'REJECTED', 'UNREADABLE', 'FETCH_FAILED'] as const;

const count = (text: string) => z.int().describe(text);
const moment = () => z.iso.datetime().nullable();

/** A version of a list in responses to operators. */
export const ListVersion = z
  .object({
    code: z.string(),
    version: z.int().describe('Increases; a rollback is a new version with old contents.'),
    state: z.enum(STATES),
    rejectReason: z
      .enum(REJECT_REASONS)
      .nullable()
      .describe(
        'The check that the file failed; OUTDATED: another file of the list was sent later, and is in use.',
      ),
    source: z.enum(SOURCES),
    restoredVersion: z.int().nullable().describe('The version whose contents a rollback restored.'),
    acceptedShrink: z.boolean().describe('The operator sent acceptShrink=true with the file.'),
    format: z.enum(LIST_FORMATS),
    sha256: z.string().describe('SHA-256 of the file; for several files, of their hashes in order.'),
    publishedAt: moment().describe("The publisher's date."),
    receivedAt: z.iso.datetime(),
    activatedAt: moment(),
    entries: count('Listed subjects.'),
    names: count('Names and aliases of all subjects.'),
    wallets: count('Wallet addresses of all subjects.'),
    added: count('Subjects that the previous version did not have.'),
    changed: count('Subjects that differ from the previous version.'),
    removed: count('Subjects that only the previous version had.'),
    faults: count('Entries that could not be read and were left out.'),
    parserVersion: z.string(),
  })
  .meta({ id: 'SanctionsListVersion' });

/** A list with its active version and the result of its last update. */
export const ListOverview = z
  .object({
    code: z.string(),
    known: z.boolean().describe('False for an operator’s own list.'),
    urlConfigured: z.boolean().describe('Whether the list is fetched every hour.'),
    activeVersion: ListVersion.nullable(),
    currentAt: moment().describe('When the active version was last confirmed to be the newest.'),
    checkedAt: moment().describe('Time of the last fetch from the publisher.'),
    checkOutcome: z.enum(CHECK_OUTCOMES).nullable(),
    checkDetail: z
      .string()
      .nullable()
      .describe('A code: the failed check, the fault of the file, or the reason why the fetch failed.'),
    lastRejected: ListVersion.nullable(),
  })
  .meta({ id: 'SanctionsList' });

export const ListChange = z
  .object({
    sourceId: z.string().describe('The list’s own id of the subject.'),
    change: z.enum(CHANGES),
    name: z.string().nullable().describe('The primary name; for a removed subject, its last one.'),
    type: z.enum(['person', 'organisation', 'vessel', 'aircraft']),
  })
  .meta({ id: 'SanctionsListChange' });

/** The query of `GET /operator/lists/{code}/versions`. */
export const ListVersionsQuery = listQuery({
  sortable: ['version', 'receivedAt'],
  filters: { _state: oneOrMore(z.enum(STATES)) },
});
export type ListVersionsRequest = z.output<typeof ListVersionsQuery>;

/** The query of `GET /operator/lists/{code}/versions/{version}/changes`. */
export const ListChangesQuery = listQuery({
  sortable: ['sourceId'],
  filters: { _change: oneOrMore(z.enum(CHANGES)) },
});
export type ChangeList = z.output<typeof ListChangesQuery>;

/** The text fields of a multipart upload. */
export const UploadFields = z.strictObject({
  format: z.enum(LIST_FORMATS),
  publishedAt: z
    .union([z.iso.date().transform((day) => new Date(day)), Timestamp])
    .optional()
    .describe('A date or a timestamp.'),
  acceptShrink: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional(),
});

export const RollbackBody = z.strictObject({ version: z.int().min(1) }).meta({ id: 'RollbackSanctionsList' });

/** A row of sanctions_versions. */
export interface ListVersionRecord {
  code: string;
  version: number;
  state: (typeof STATES)[number];
  rejectReason: (typeof REJECT_REASONS)[number] | null;
  source: (typeof SOURCES)[number];
  restoredVersion: number | null;
  acceptedShrink: boolean;
  format: (typeof LIST_FORMATS)[number];
  sha256: Buffer;
  publishedAt: Date | null;
  receivedAt: Date;
  activatedAt: Date | null;
  entries: number;
  names: number;
  wallets: number;
  added: number;
  changed: number;
  removed: number;
  faults: number;
  parserVersion: string;
}

export function viewVersion(record: ListVersionRecord): z.input<typeof ListVersion> {
  return {
    ...record,
    sha256: record.sha256.toString('hex'),
    publishedAt: record.publishedAt?.toISOString() ?? null,
    receivedAt: record.receivedAt.toISOString(),
    activatedAt: record.activatedAt?.toISOString() ?? null,
  };
}

/** A row of sanctions_lists with its active and last rejected version. */
export interface ListRecord {
  code: string;
  active: ListVersionRecord | null;
  rejected: ListVersionRecord | null;
  currentAt: Date | null;
  checkedAt: Date | null;
  checkOutcome: (typeof CHECK_OUTCOMES)[number] | null;
  checkDetail: string | null;
}

/** All lists: the known ones, also those without a version, then the operator's own, by code. */
export function viewLists(
  records: readonly ListRecord[],
  fetched: ReadonlySet<string>,
): z.input<typeof ListOverview>[] {
  const known = Object.keys(KNOWN_LISTS);
  const stored = new Map(records.map((record) => [record.code, record]));
  const own = [...stored.keys()].filter((code) => !known.includes(code)).toSorted();
  return [...known, ...own].map((code) => ({
    ...viewList(stored.get(code) ?? emptyList(code)),
    known: known.includes(code),
    urlConfigured: fetched.has(code),
  }));
}

function emptyList(code: string): ListRecord {
  const nothing = { currentAt: null, checkedAt: null, checkOutcome: null, checkDetail: null };
  return { code, active: null, rejected: null, ...nothing };
}

function viewList({ active, rejected, currentAt, checkedAt, ...rest }: ListRecord) {
  return {
    ...rest,
    activeVersion: active && viewVersion(active),
    lastRejected: rejected && viewVersion(rejected),
    currentAt: currentAt?.toISOString() ?? null,
    checkedAt: checkedAt?.toISOString() ?? null,
  };
}
