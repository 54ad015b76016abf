import type { Direction } from '../direction.ts';
import type { Status } from '../transactions/state.ts';

export const EXPORT_RESOURCES = ['transactions'] as const;
type ExportResource = (typeof EXPORT_RESOURCES)[number];

/** IVMS101: the payloads of the interVASP Messaging Standard, version 101.2023. */
export const EXPORT_FORMATS = ['CSV', 'JSON', 'IVMS101'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** MAKING: the file is being written. FAILED: it could not be made. */
export const EXPORT_STATES = ['MAKING', 'READY', 'FAILED'] as const;
type ExportState = (typeof EXPORT_STATES)[number];

/** Which records are exported; everything that is absent matches all. */
export interface ExportFilter {
  /** Created then or later. */
  from?: string | undefined;
  /** Created before that. */
  until?: string | undefined;
  direction?: Direction | undefined;
  status?: Status[] | undefined;
}

/** An export as it is stored. */
export interface ExportRecord {
  id: string;
  tenantId: string;
  resource: ExportResource;
  format: ExportFormat;
  filter: ExportFilter;
  purpose: string;
  requestedBy: { kind: 'API_KEY' | 'USER'; id: string };
  state: ExportState;
  /** Rows that were written so far. */
  rows: number;
  sizeBytes: number | null;
  sha256: string | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** When the file is removed; null until there is one. */
  expiresAt: Date | null;
}

/** How many files of a tenant may be made at once. */
export const MOST_AT_ONCE = 3;
/** How many a tenant may ask for in 24 hours. */
export const MOST_A_DAY = 100;
/** How long a file is kept. */
export const KEPT_DAYS = 7;
