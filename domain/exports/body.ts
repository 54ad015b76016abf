import { z } from 'zod';
import { text } from '../schema-fields.ts';
import { DOSSIER_PURPOSES, DossierFilter } from './dossier/filter.ts';
import { AuditFilter } from './resources/audit.ts';
import { ClaimFilter } from './resources/claims.ts';
import { ScreeningFilter } from './resources/screenings.ts';
import { TransactionFilter } from './resources/transactions.ts';
import { VerificationFilter } from './resources/verifications.ts';
import { WalletFilter } from './resources/wallets.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportResource } from './export.ts';

const PURPOSE = text(500).describe('What the copy is for; stored encrypted.');

/** The body for one resource. */
function exportOf<
  R extends ExportResource,
  F extends z.ZodType,
  const Formats extends readonly ExportFormat[],
>(resource: R, filter: F, formats: Formats) {
  return z.strictObject({
    resource: z.literal(resource).describe('What is exported.'),
    filter: filter.default({} as never).describe('Which records; all without it.'),
    format: z
      .enum(formats)
      .describe(
        'CSV (RFC 4180), JSON (a list of what the endpoint of a record answers), or IVMS101 (a list of payloads, version 101.2023).',
      ),
    purpose: PURPOSE,
  });
}

const TABLES = ['CSV', 'JSON'] as const;

const DossierBody = z.strictObject({
  resource: z.literal('dossier').describe('All records of one customer.'),
  filter: DossierFilter.describe('Whose dossier it is.'),
  format: z.enum(['JSON']).describe('One JSON document.'),
  purpose: z
    .enum(DOSSIER_PURPOSES)
    .describe(
      "AUTHORITY: everything that is known, for an authority. DATA_SUBJECT: the customer's own data alone, for the customer.",
    ),
});

/** The body of `POST /exports`. */
export const CreateExportBody = z
  .discriminatedUnion('resource', [
    exportOf('transactions', TransactionFilter, EXPORT_FORMATS),
    exportOf('claims', ClaimFilter, TABLES),
    exportOf('wallets', WalletFilter, TABLES),
    exportOf('verifications', VerificationFilter, TABLES),
    exportOf('screenings', ScreeningFilter, TABLES),
    exportOf('audit', AuditFilter, TABLES),
    DossierBody,
  ])
  .meta({ id: 'CreateExport' });
export type CreateExportBody = z.output<typeof CreateExportBody>;
