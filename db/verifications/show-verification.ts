import type { WalletVerification } from '../../domain/verifications/schema.ts';
import { viewVerification } from '../../domain/verifications/view-verification.ts';
import type { Database } from '../database.ts';
import { pageTokenOf } from './page-token.ts';
import type { OpenVerification } from './row.ts';

/** A verification as its tenant sees it, with the address of its hosted page. */
export function showVerification(
  { walletUrl }: Pick<Database, 'walletUrl'>,
  open: OpenVerification,
): WalletVerification {
  const token = pageTokenOf(open);
  return viewVerification(open.record, { token, url: `${walletUrl}/?token=${token}` });
}
