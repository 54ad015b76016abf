import type pg from 'pg';
import { findGateway } from '../../db/gateways/find-gateway.ts';
import { judgeMessage } from '../../db/lifecycle/deliver-native.ts';
import { deliverNewMessage } from '../../db/lifecycle/deliver-new-message.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { inTransaction } from '../../db/postgres.ts';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { askedVasp } from '../../db/trp/asked-vasp.ts';
import { lockInquiries, refuseFlood } from '../../db/trp/refuse-flood.ts';
import { removeRefused } from '../../db/trp/transfers.ts';
import type { TravelDestination } from '../../db/trp/travel-tokens.ts';
import type { TrpTransfer } from '../../db/trp/transfer-row.ts';
import { DomainError } from '../../domain/errors.ts';
import type { Party } from '../../domain/parties/party.ts';
import { counterpartyMessage } from '../../domain/transactions/exchanging/counterparty-message.ts';
import { saidOfBeneficiaryVasp } from '../../domain/trp/named-beneficiary-vasp.ts';
import type { ReadInquiry } from '../../domain/trp/read-inquiry.ts';
import type { Deps } from '../deps.ts';

interface ReceivedInquiry {
  transfer: TrpTransfer;
  read: Extract<ReadInquiry, { ok: true }>;
  wallet: TravelDestination;
  /** Whether a certificate proves who sends. */
  isProven: boolean;
  /** The address of the client. */
  address: string;
  now: Date;
}

/** Delivers the message of an inquiry to the tenant of its wallet, once. Throws rate_limited, temporarily_unavailable. */
export async function deliverInquiry(deps: Deps, inquiry: ReceivedInquiry): Promise<void> {
  const { transfer, read, wallet, isProven, now } = inquiry;
  const { db } = deps;
  const { tenantId, sentId } = transfer;
  const gatewayId = await findGateway(db.pool, 'TRP');
  // The keys are loaded before the database transaction, to keep it short.
  const [{ tenant }] = await Promise.all([
    getTenant(db, tenantId),
    ...[tenantId, gatewayId].map(async (id) => await db.vault.tenantKeys(id)),
  ]);
  const message = counterpartyMessage(read.body, {
    id: sentId,
    sender: { id: gatewayId, name: read.originatorVasp?.name ?? '', email: null },
    receiver: { name: tenant.name },
    now,
    price: deps.priceOf(read.body.asset),
  });
  const asked = await askedVasp(db.pool, tenant);
  const record = withVasps(
    message.record,
    read.originatorVasp,
    saidOfBeneficiaryVasp(read.beneficiaryVasp, asked),
  );
  const arriving = { sent: record, receiverTenantId: tenantId, now };
  try {
    const judged = await judgeMessage(db, arriving, deps.judgeArrival);
    const outbox = await deps.writeInTurn(
      inquiry.address,
      async () =>
        await inTransaction(db.pool, async (tx): Promise<OutboxEntry[]> => {
          if (!isProven) await lockInquiries(tx, wallet);
          if (await isDelivered(tx, transfer)) return [];
          if (!isProven) await refuseFlood(tx, wallet);
          return (
            await deliverNewMessage(db, tx, { ...message, record, receiverTenantId: tenantId, judged, now })
          ).outbox;
        }),
    );
    deps.notifyWorkflows(outbox);
  } catch (error) {
    if (error instanceof DomainError)
      await deps.writeInTurn(inquiry.address, async () => await removeRefused(db, transfer));
    throw error;
  }
}

type MessageRecord = ReturnType<typeof counterpartyMessage>['record'];

/**
 * The record with what its sender says of itself and of the tenant. What is more than a name stands beside it, to be compared
 * with lists.
 */
function withVasps(
  record: MessageRecord,
  vasp: Party | null,
  said: ReturnType<typeof saidOfBeneficiaryVasp>,
): MessageRecord {
  const { personal } = record;
  const vaspInfo = { ...personal.vaspInfo, originatorVaspName: vasp?.name ?? null };
  const isMore = Object.keys(vasp ?? {}).some((field) => field !== 'name' && field !== 'type');
  const originatorVasp = vasp && isMore && { originatorVasp: vasp };
  return { ...record, personal: { ...personal, vaspInfo, ...originatorVasp, ...said } };
}

function notNow(): DomainError {
  return new DomainError('temporarily_unavailable', 'The message cannot be taken now; try again later.');
}

/**
 * Whether an earlier request has delivered the inquiry. Repeats at the same time wait for each other. Throws
 * temporarily_unavailable where the other one was refused: the inquiry is not there any more.
 */
async function isDelivered(tx: pg.PoolClient, { id, sentId }: TrpTransfer): Promise<boolean> {
  const locked = await tx.query('select 1 from trp_transfers where id = $1 for update', [id]);
  if (locked.rowCount === 0) throw notNow();
  const { rowCount } = await tx.query('select 1 from transactions where id = $1', [sentId]);
  return rowCount !== null && rowCount > 0;
}
