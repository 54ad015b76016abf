import { offerByMail } from '../../db/lifecycle/offer-by-mail.ts';
import { remindToAnswer } from '../../db/lifecycle/remind-to-answer.ts';
import { settleScreening } from '../../db/lifecycle/settle-screening.ts';
import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { CounterpartyUnreachable, type MessageNetwork } from './network.ts';

export interface EmailNetworkDeps {
  db: Database;
  /** The address of the portal, to which the tokens of links are added. */
  portalUrl: string;
  /** False in production without a mail server: a mail that nobody gets must not be promised. */
  sendsMails: boolean;
}

/**
 * Offers messages to VASPs on no network by a link in an e-mail. The message is delivered when the link is opened with the
 * right code (api/portal); until then it waits with the subStatus EMAIL_SENT.
 */
export function emailNetwork({ db, portalUrl, sendsMails }: EmailNetworkDeps): MessageNetwork {
  return {
    async deliver({ record, counterparty, screened, now }) {
      if (counterparty.network !== 'EMAIL') throw new Error(`${counterparty.network} sends no mails`);
      if (!sendsMails) throw new CounterpartyUnreachable('this deployment has no mail server');
      const outbox: OutboxEntry[] = [];
      if (screened) {
        const settled = await settleScreening(db, screened);
        if (settled === 'STALE') return 'SCREEN_AGAIN';
        outbox.push(...settled.outbox);
      }
      const { address, entityId, skipped = [] } = counterparty;
      const { tenantId, id } = record;
      const offered = await offerByMail(db, { tenantId, id, address, entityId, skipped, portalUrl, now });
      // Of a message that has changed meanwhile the relay takes what was queued.
      return offered && { record: offered.record, incoming: null, outbox: [...outbox, ...offered.outbox] };
    },
    async remind({ tenantId, id }, now) {
      return await remindToAnswer(db, { tenantId, id, portalUrl, now });
    },
  };
}
