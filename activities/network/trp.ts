import { deliverNative } from '../../db/lifecycle/deliver-native.ts';
import { inquiryHash } from '../../db/trp/inquiry-hash.ts';
import { findTransferOf } from '../../db/trp/transfers.ts';
import { arrivalJudge } from '../../transaction-screening/judge-arrival.ts';
import type { JudgingDeps } from '../../transaction-screening/judge-in-time.ts';
import { CounterpartyUnreachable, SendFirst, type MessageNetwork } from './network.ts';

/**
 * Delivers to the gateway what the VASP of a travel address has taken: `sendInquiry` calls it before, since no call belongs
 * into a step that holds the database.
 */
export function trpNetwork(screening: JudgingDeps): MessageNetwork {
  const { db } = screening;
  const judge = arrivalJudge(screening);
  return {
    async deliver({ record, counterparty, screened, isSendFailed = false, now }) {
      if (counterparty.network !== 'TRP') throw new TypeError('a travel address is needed');
      const { tenantId, id } = record;
      const transfer = await findTransferOf(db, id);
      const isSent =
        transfer?.sentAt &&
        transfer.secrets.travelAddress === counterparty.travelAddress &&
        transfer.bodyHash.equals(inquiryHash(db, record));
      if (!isSent && isSendFailed) throw new CounterpartyUnreachable('the VASP did not take the inquiry');
      if (!isSent) throw new SendFirst('the VASP has not been called');
      const { tenantId: receiverTenantId, entityId, skipped = [] } = counterparty;
      const outside = { entityId, skipped };
      const delivery = { tenantId, id, receiverTenantId, outside, ...(screened && { screened }), now };
      return await deliverNative(db, delivery, judge);
    },
  };
}
