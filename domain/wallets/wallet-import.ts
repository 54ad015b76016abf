import { z } from 'zod';
import { DomainError } from '../errors.ts';
import { fileRefused, type RowFault } from '../row-fault.ts';
import { CSV_COLUMNS } from './wallet-file.ts';

const IMPORT_STATES = ['RUNNING', 'DONE', 'INVALID', 'FAILED'] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

const count = z.int().min(0);

/** The most that a result names. */
export const LISTED_LIMIT = 1_000;

const SANCTIONED_ADDRESSES =
  'Addresses of the file, as sent, that an active sanctions list named during the import, the first 1,000. They are ' +
  'registered like the others, and transfers with them are held.';

export const WalletImportResult = z
  .strictObject({
    id: z.uuid(),
    total: count.describe('Rows without the header.'),
    created: count,
    confirmed: count.describe('Wallets that were registered as UNCONFIRMED.'),
    skipped: count.describe('Wallets that were registered already or occur twice in the file.'),
    sanctionedAddresses: z.array(z.string()).describe(SANCTIONED_ADDRESSES),
    durationMs: count,
  })
  .meta({ id: 'WalletImportResult' });
type WalletImportResult = z.infer<typeof WalletImportResult>;

const Fault = z.strictObject({
  row: z.int().nullable().describe('1 is the header; null is the file as a whole.'),
  field: z.enum(CSV_COLUMNS).nullable(),
  code: z.string(),
  message: z.string(),
});

export const WalletImport = z
  .strictObject({
    id: z.uuid(),
    state: z
      .enum(IMPORT_STATES)
      .describe(
        'RUNNING: also while messages are searched that wait for its wallets. INVALID: the file has faults. FAILED: the ' +
          'import failed; send the file again.',
      ),
    total: count.nullable(),
    created: count.nullable(),
    confirmed: count.nullable(),
    skipped: count.nullable(),
    sanctionedAddresses: z.array(z.string()).nullable().describe(SANCTIONED_ADDRESSES),
    durationMs: count.nullable(),
    errors: z.array(Fault).nullable().describe('The first 1,000 faults of an INVALID file.'),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'WalletImport' });
export type WalletImport = z.infer<typeof WalletImport>;

export interface ImportCounts {
  total: number;
  created: number;
  confirmed: number;
  skipped: number;
}

/** What an import has registered. */
export interface ImportOutcome extends ImportCounts {
  /** As sent, the first 1,000. */
  sanctionedAddresses: readonly string[];
}

export interface ImportRecord {
  id: string;
  state: ImportState;
  /** Null unless the import is DONE. */
  outcome: ImportOutcome | null;
  durationMs: number | null;
  faults: RowFault[] | null;
  createdAt: Date;
  finishedAt: Date | null;
}

export function viewImport(record: ImportRecord): WalletImport {
  const none = { total: null, created: null, confirmed: null, skipped: null, sanctionedAddresses: null };
  return {
    id: record.id,
    state: record.state,
    ...(record.outcome ? viewOutcome(record.outcome) : none),
    durationMs: record.durationMs,
    errors: record.faults?.map(viewFault) ?? null,
    createdAt: record.createdAt.toISOString(),
    finishedAt: record.finishedAt?.toISOString() ?? null,
  };
}

/** The result of a finished import. Throws csv_invalid for a file with faults, temporarily_unavailable if unfinished. */
export function resultOf({ id, outcome, durationMs, faults }: ImportRecord): WalletImportResult {
  if (faults) throw fileRefused(faults, 'Nothing was imported: the file has faults.');
  if (!outcome) throw importUnfinished();
  return { id, ...viewOutcome(outcome), durationMs: durationMs ?? 0 };
}

function viewOutcome({ sanctionedAddresses, ...counts }: ImportOutcome) {
  return { ...counts, sanctionedAddresses: [...sanctionedAddresses] };
}

function viewFault({ row, field, code, message }: RowFault): z.infer<typeof Fault> {
  return { row, field: CSV_COLUMNS.find((column) => column === field) ?? null, code, message };
}

/** The error for an unfinished import. Sending the file again joins the running import. */
export function importUnfinished(): DomainError {
  return new DomainError(
    'temporarily_unavailable',
    'The import is not finished yet. Send the same file again: it joins the running import.',
    { retryAfterSeconds: 5 },
  );
}
