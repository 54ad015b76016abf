import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import type { MailedClaimsDeps } from '../network/mailed-claims.ts';

export interface ClaimDeps extends Pick<MailedClaimsDeps, 'portalUrl' | 'sendsMails'> {
  db: Database;
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}
