import { isPermitted, type Role } from '../../domain/tenants/role.ts';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { viewVerification } from '../../domain/verifications/view-verification.ts';
import type { Database } from '../database.ts';
import { pageTokenOf } from './page-token.ts';
import type { OpenVerification } from './row.ts';

/** A verification as its tenant sees it, with the address of its hosted page: whoever has that may give the proof. */
export function showVerification(
  { walletUrl }: Pick<Database, 'walletUrl'>,
  open: OpenVerification,
): WalletVerification {
  const token = pageTokenOf(open);
  return viewVerification(open.record, { token, url: `${walletUrl}/?token=${token}` });
}

/** A verification as a caller with this role sees it: one who decides nothing does not get the hosted page. */
export function showVerificationTo(
  role: Role,
  db: Pick<Database, 'walletUrl'>,
  open: OpenVerification,
): WalletVerification {
  if (isPermitted(role, 'DECIDE')) return showVerification(db, open);
  return viewVerification(open.record, { token: null, url: null });
}
