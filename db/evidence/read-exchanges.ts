import type { ExchangeLine } from '../../domain/evidence/lines.ts';
import { travelUrl } from '../../domain/travel-address/travel-url.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import { toLink, type LinkRow } from '../portal/portal-links.ts';
import type { Queryable } from '../postgres.ts';
import { toTransfer, TRANSFER_COLUMNS, type TransferRow } from '../trp/transfer-row.ts';

/** What was exchanged over networks outside about a transaction: the links by e-mail to it and to its claims, TRP, readings. */
export async function* readExchanges(db: Database, record: TransactionRecord): AsyncGenerator<ExchangeLine> {
  yield* await readLinks(db, record);
  yield* await readTransfer(db, record);
  yield* await readReadings(db.pool, record);
}

interface MailedLinkRow extends LinkRow {
  mail_status: string | null;
  mail_attempts: number | null;
  mail_error: string | null;
}

/** The links by e-mail to a message and to the claims that it answers, the oldest first. Rows of mails are kept for some time only. */
async function readLinks(
  db: Database,
  { tenantId, id }: Pick<TransactionRecord, 'tenantId' | 'id'>,
): Promise<ExchangeLine[]> {
  const { rows } = await db.pool.query<MailedLinkRow>(
    `select l.*, m.status as mail_status, m.attempts as mail_attempts, m.error as mail_error
     from portal_links l left join mails m on m.id = l.mail_id
     where l.tenant_id = $1 and (l.transaction_id = $2
       or l.claim_id = any(array(select c.id from claims c where c.tenant_id = $1 and c.transaction_id = $2)))
     order by l.created_at, l.id`,
    [tenantId, id],
  );
  return await Promise.all(
    rows.map(async (row) => {
      const { id: linkId, address, tries, reminders, subject, ...link } = await toLink(db, row);
      const { mail_status: status, mail_attempts: attempts, mail_error: error } = row;
      return {
        network: 'EMAIL' as const,
        linkId,
        claimId: subject.kind === 'CLAIM' ? subject.id : null,
        mailbox: address,
        mail: status === null ? null : { status, attempts: attempts ?? 0, error },
        createdAt: link.createdAt.toISOString(),
        sentAt: textOf(link.sentAt),
        reminders,
        openedAt: textOf(link.openedAt),
        codesTried: tries,
        expiresAt: link.expiresAt.toISOString(),
        endedAt: textOf(link.endedAt),
      };
    }),
  );
}

interface ExchangedRow extends TransferRow {
  sender: string | null;
  sender_entity_id: string | null;
  told_at: Date | null;
}

/** By the outgoing record of the message: the tenant's own, or that of the gateway from which it came. */
async function readTransfer(db: Database, { tenantId, id }: TransactionRecord): Promise<ExchangeLine[]> {
  const { rows } = await db.pool.query<ExchangedRow>(
    `select ${TRANSFER_COLUMNS}, sender, sender_entity_id, told_at from trp_transfers
     where tenant_id = $1 and (replaced_for = $2 or sent_id = any($2::uuid
       || array(select outgoing_id from message_pairs where incoming_tenant_id = $1 and incoming_id = $2)))
     order by created_at, id`,
    [tenantId, id],
  );
  return await Promise.all(rows.map(async (row) => await transferLine(db, row)));
}

const CERTIFICATE = 'certificate:';

/** Without the addresses that were exchanged: whoever knows one can write as its VASP. */
async function transferLine(db: Database, row: ExchangedRow): Promise<ExchangeLine> {
  const { secrets, ...transfer } = await toTransfer(db, row);
  const { travelAddress, peerCallback, answer } = secrets;
  const url = travelAddress === null ? callbackUrl(peerCallback) : travelUrl(travelAddress);
  return {
    network: 'TRP',
    direction: transfer.direction,
    requestIdentifier: transfer.requestIdentifier,
    host: url?.host ?? null,
    certificate: row.sender?.startsWith(CERTIFICATE) ? row.sender.slice(CERTIFICATE.length) : null,
    provenEntityId: row.sender_entity_id,
    createdAt: transfer.createdAt.toISOString(),
    sentAt: textOf(transfer.sentAt),
    answer: answer && {
      approvedAddress: answer.approved?.address ?? null,
      rejected: answer.rejected ?? null,
    },
    told: transfer.told,
    toldAt: textOf(row.told_at),
  };
}

function callbackUrl(callback: string | null): URL | undefined {
  return callback !== null && URL.canParse(callback) ? new URL(callback) : undefined;
}

/** What the VASP outside did with the message, as the log of the gateway has it, such as each reading of its personal data. */
async function readReadings(db: Queryable, { tenantId, id }: TransactionRecord): Promise<ExchangeLine[]> {
  const { rows } = await db.query<{ source: string; type: string; created_at: Date }>(
    `select t.name as source, e.type, e.created_at
     from message_pairs p
       join tenants t on t.id = p.incoming_tenant_id and t.gateway is not null
       join events e on e.tenant_id = p.incoming_tenant_id and e.subject_id = p.incoming_id
     where p.outgoing_tenant_id = $1 and p.outgoing_id = $2 and e.type in ('DATA_READ', 'DESTINATION_CONFIRMED')
     order by e.sequence`,
    [tenantId, id],
  );
  return rows.map(({ source, type, created_at: at }) => ({
    network: 'GATEWAY',
    source,
    type,
    createdAt: at.toISOString(),
  }));
}

function textOf(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}
