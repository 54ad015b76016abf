import type { Database } from '../../../db/database.ts';
import type { OpenTransaction } from '../../../db/transactions/row.ts';
import type { OpenVerification } from '../../../db/verifications/row.ts';
import type { ClaimRecord } from '../../../domain/claims/record.ts';
import type { CustomerParty } from '../../../domain/exports/dossier/parties-of-customer.ts';
import type { WalletRecord } from '../../../domain/wallets/wallet.ts';
import type { ExportInput } from '../export-writer.ts';

/** A transaction of a customer: as which of its parties, and the claims about it. */
interface CustomerTransaction {
  open: OpenTransaction;
  parties: readonly CustomerParty[];
  claims: readonly ClaimRecord[];
}

/** What one kind of reader gets of a customer's records. */
export interface DossierEdition {
  /** What the dossier says of itself. */
  notice: string;
  transaction: (db: Database, found: CustomerTransaction, input: ExportInput) => Promise<object>;
  verification: (db: Database, open: OpenVerification) => Promise<object>;
  wallet: (wallet: WalletRecord) => object;
}
