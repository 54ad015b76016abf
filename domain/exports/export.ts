import type { Direction } from '../direction.ts';

/** What can be exported. A dossier has all records of one customer. */
export const EXPORT_RESOURCES = [
  'transactions',
  'claims',
  'wallets',
  'verifications',
  'screenings',
  'audit',
  'dossier',
] as const;
export type ExportResource = (typeof EXPORT_RESOURCES)[number];

/** IVMS101: the payloads of the interVASP Messaging Standard, version 101.2023. */
export const EXPORT_FORMATS = ['CSV', 'JSON', 'IVMS101'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** MAKING: the file is being written. FAILED: it could not be made. */
export const EXPORT_STATES = ['MAKING', 'READY', 'FAILED'] as const;
type ExportState = (typeof EXPORT_STATES)[number];

/** Which records are exported, as it was asked for; each resource takes some of these. What is absent matches all. */
export interface ExportFilter {
  from?: string | undefined;
  until?: string | undefined;
  direction?: Direction | undefined;
  status?: string[] | undefined;
  source?: string[] | undefined;
  flow?: string[] | undefined;
  step?: string[] | undefined;
  kind?: string | undefined;
  sanctioned?: boolean | undefined;
  actor?: string[] | undefined;
  operation?: string[] | undefined;
  userId?: string | undefined;
  apiKeyId?: string | undefined;
  customerIdentification?: string | undefined;
}

/** What is known of a file once it is written. */
export interface ExportContent {
  rows: number;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
  /** The header of CSV; null for other formats. */
  columns: readonly string[] | null;
  /** The version of the product that wrote it. */
  productVersion: string;
}

/** An export as it is stored. */
export interface ExportRecord extends Nullable<Omit<ExportContent, 'rows'>> {
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
  createdAt: Date;
  finishedAt: Date | null;
  /** When the file is removed; null until there is one. */
  expiresAt: Date | null;
}

type Nullable<T> = { [K in keyof T]: T[K] | null };

/** How many files of a tenant may be made at once. */
export const MOST_AT_ONCE = 3;
/** How many a tenant may ask for in 24 hours. */
export const MOST_A_DAY = 100;
/** How long a file is kept. */
export const KEPT_DAYS = 7;
