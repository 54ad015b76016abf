import type { Database } from '../../db/database.ts';
import type { ExportAttempt } from '../../db/exports/store-export.ts';
import type { ExportFormat } from '../../domain/exports/export.ts';

/** A piece of a file, and how many records it has. */
export interface ExportPiece {
  text: string;
  rows: number;
}

/** What the file of an attempt is written from. */
export type ExportInput = Pick<
  ExportAttempt,
  'id' | 'tenantId' | 'tenant' | 'format' | 'filter' | 'purpose'
> & { now: Date };

/** How the file of a resource is written, with the memory of one batch of records. */
export interface ExportWriter {
  pieces: (db: Database, input: ExportInput) => AsyncGenerator<ExportPiece>;
  /** The header of CSV; null for formats without one. */
  columnsOf: (format: ExportFormat) => readonly string[] | null;
}
