import { readExportedAuditLog } from '../../db/audit/read-exported.ts';
import { readExportedClaims } from '../../db/claims/read-exported.ts';
import type { Database } from '../../db/database.ts';
import { readExportedScreenings } from '../../db/sanctions-screenings/read-exported.ts';
import { readExportedTransactions } from '../../db/transactions/read-exported.ts';
import { viewContext } from '../../db/transactions/show-transaction.ts';
import { readExportedVerifications } from '../../db/verifications/read-exported.ts';
import { readExportedWallets } from '../../db/wallets/read-exported.ts';
import type { ExportResource } from '../../domain/exports/export.ts';
import { AUDIT_COLUMNS, AuditFilter } from '../../domain/exports/resources/audit.ts';
import { CLAIM_COLUMNS, ClaimFilter } from '../../domain/exports/resources/claims.ts';
import { ivms101Entry } from '../../domain/exports/resources/ivms101-entry.ts';
import { SCREENING_COLUMNS, ScreeningFilter } from '../../domain/exports/resources/screenings.ts';
import { TRANSACTION_COLUMNS, TransactionFilter } from '../../domain/exports/resources/transactions.ts';
import { VERIFICATION_COLUMNS, VerificationFilter } from '../../domain/exports/resources/verifications.ts';
import { WALLET_COLUMNS, WalletFilter } from '../../domain/exports/resources/wallets.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import { dossierWriter } from './dossier/dossier-writer.ts';
import type { ExportInput, ExportWriter } from './export-writer.ts';
import { listWriter } from './list-writer.ts';

const transactions = listWriter({
  filter: TransactionFilter,
  read: readExportedTransactions,
  columns: TRANSACTION_COLUMNS,
  show: {
    JSON: showTransactions,
    IVMS101: (records, _db, { tenant }) => records.map((record) => ivms101Entry(record, tenant.name)),
  },
});

/** The records as the api shows them, with what other tables say of them. */
async function showTransactions(
  records: readonly TransactionRecord[],
  db: Database,
  { tenant }: ExportInput,
): Promise<object[]> {
  const context = await viewContext(db, db.pool, records);
  return records.map((record) => viewTransaction(record, tenant.entityId, context));
}

/** Who writes the files of each resource. */
export const EXPORT_WRITERS: Record<ExportResource, ExportWriter> = {
  transactions,
  claims: listWriter({ filter: ClaimFilter, read: readExportedClaims, columns: CLAIM_COLUMNS }),
  wallets: listWriter({ filter: WalletFilter, read: readExportedWallets, columns: WALLET_COLUMNS }),
  verifications: listWriter({
    filter: VerificationFilter,
    read: readExportedVerifications,
    columns: VERIFICATION_COLUMNS,
  }),
  screenings: listWriter({
    filter: ScreeningFilter,
    read: readExportedScreenings,
    columns: SCREENING_COLUMNS,
  }),
  audit: listWriter({ filter: AuditFilter, read: readExportedAuditLog, columns: AUDIT_COLUMNS }),
  dossier: dossierWriter,
};
