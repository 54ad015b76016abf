import { offerClaimByMail } from '../../db/lifecycle/offer-claim-by-mail.ts';
import type { ClaimNetwork } from './claim-network.ts';
import type { EmailNetworkDeps } from './email.ts';
import { CounterpartyUnreachable } from './network.ts';

export type MailedClaimsDeps = EmailNetworkDeps;

/**
 * Offers claims to VASPs on no network by a link in an e-mail. The claim is delivered when the link is opened with the right code
 * (api/portal); until then it is PENDING.
 */
export function mailedClaims({ db, portalUrl, sendsMails }: MailedClaimsDeps): ClaimNetwork {
  return {
    async deliver({ record: { tenantId, id }, counterparty, now }) {
      if (counterparty.network !== 'EMAIL') throw new Error(`${counterparty.network} sends no mails`);
      if (!sendsMails) throw new CounterpartyUnreachable('this deployment has no mail server');
      return await offerClaimByMail(db, { tenantId, id, address: counterparty.address, portalUrl, now });
    },
  };
}
