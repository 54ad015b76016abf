import { listKeptMails } from '../../db/mails/list-kept-mails.ts';
import { insertLink } from '../../db/portal/portal-links.ts';
import { makeCode } from '../../db/portal/portal-codes.ts';
import { portalTokenOf } from '../../db/portal/portal-token.ts';
import { inTransaction } from '../../db/postgres.ts';
import { findOpenTransaction } from '../../db/transactions/find-transaction.ts';
import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import type { OperatorEntity } from '../../domain/entities/schema.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Json, TestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import type { TestSmtp } from './smtp.ts';
import type { TestTenant } from './tenant.ts';
import { createBody, createTransaction, letPass } from './transaction.ts';

/** Lets a tenant deliver by e-mail, in a deployment whose processes have not started as in production. */
export async function allowMails({ db }: Pick<TestApi, 'db'>, tenant: TestTenant): Promise<void> {
  await ensureGateways(db, new Date());
  const { status } = await tenant.patch('/tenant/me/settings', { deliveryEmailEnabled: true });
  if (status !== 200) throw new Error('the setting was refused');
}

/** Puts a VASP into the directory that is on no network. */
export async function createOutsider(api: TestApi, fields: Json): Promise<OperatorEntity> {
  const body = { type: 'exchange', countries: ['SG'], ...fields };
  const answer = await api.request<OperatorEntity>('POST', '/operator/entities', {
    operatorKey: api.operatorKey,
    body,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

const PARTIES = {
  originator: { type: 'NATURAL', name: 'Anna Keller', country: 'CH', dateOfBirth: '1980-02-03' },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
};

/** A message to a VASP outside; returns its id. */
export async function sendOutside(tenant: TestTenant, vaspInfo: Json, overrides: Json = {}): Promise<string> {
  const answer = await tenant.post<Transaction>(
    '/transactions',
    createBody({ ...PARTIES, vaspInfo, ...overrides }),
  );
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}

/** The transaction once it is as wanted. */
export async function untilTransaction(
  tenant: TestTenant,
  id: string,
  isWanted: (transaction: Transaction) => boolean,
): Promise<Transaction> {
  return await eventually(async () => (await tenant.get<Transaction>(`/transactions/${id}`)).body, isWanted);
}

/** The types of the events of a transaction, the oldest first. */
export async function eventTypes(tenant: TestTenant, id: string): Promise<string[]> {
  const { body } = await tenant.get<{ type: string }[]>(`/transactions/${id}/events`);
  return body.map(({ type }) => type).reverse();
}

/** The token in the newest mail to a mailbox. */
export async function tokenFor(smtp: TestSmtp, mailbox: string, after = 0): Promise<string> {
  const { text } = await smtp.mailTo(mailbox, after);
  const [, token] = /\/portal#([\w-]{64})/.exec(text) ?? [];
  if (token === undefined) throw new Error(`no link in: ${text}`);
  return token;
}

/** The first group of a pattern in the newest mail that has it, of a deployment without a mail server. */
export async function keptText({ db }: Pick<TestApi, 'db'>, pattern: RegExp): Promise<string> {
  const found = await eventually(
    async () => (await listKeptMails(db, 20)).map(({ text }) => pattern.exec(text)?.[1]).find(Boolean),
    (text) => text !== undefined,
  );
  return found ?? '';
}

/** Calls of the page of the portal with one token. */
export function portalOf(api: TestApi, token: string, session?: string) {
  const headers = { 'X-Portal-Token': token, ...(session !== undefined && { 'X-Portal-Session': session }) };
  return {
    get: async <T = Json>(path: string) => await api.request<T>('GET', path, { headers }),
    post: async <T = Json>(path: string, body: Json = {}) =>
      await api.request<T>('POST', path, { headers, body }),
    patch: async <T = Json>(path: string, body: Json) =>
      await api.request<T>('PATCH', path, { headers, body }),
  };
}

/** Asks for a code, reads it in the mailbox and opens the message with it. */
export async function openPortal(
  api: TestApi,
  smtp: TestSmtp,
  { token, mailbox }: { token: string; mailbox: string },
) {
  const before = smtp.received.filter(({ to }) => to.includes(mailbox)).length;
  const portal = portalOf(api, token);
  const asked = await portal.post('/portal/code');
  if (asked.status !== 202) throw new Error(JSON.stringify(asked.body));
  const code = codeIn((await smtp.mailTo(mailbox, before)).subject);
  const opened = await portal.post<{ session: string }>('/portal/session', { code });
  if (opened.status !== 201) throw new Error(JSON.stringify(opened.body));
  return { ...portalOf(api, token, opened.body.session), code };
}

/** A message to a mailbox with a link and its code, without any mail or workflow. */
export async function linkedMessage(
  { db }: Pick<TestApi, 'db'>,
  tenant: TestTenant,
  vaspInfo: Json = { beneficiaryVaspEmail: 'ops@harbour.example' },
): Promise<{ id: string; token: string; code: string }> {
  const address = 'ops@harbour.example';
  await allowMails({ db }, tenant);
  const { id } = await createTransaction(tenant, { vaspInfo });
  await letPass(db, id);
  const open = await findOpenTransaction(db, tenant.id, id);
  if (!open) throw new Error('the message is gone');
  const now = new Date();
  return await inTransaction(db.pool, async (tx) => {
    const subject = { kind: 'TRANSACTION', id } as const;
    const linkId = await insertLink(db, tx, { tenantId: tenant.id, subject, address, now });
    return { id, token: portalTokenOf(linkId, open.key), code: await makeCode(db, tx, linkId, now) };
  });
}

/** Like linkedMessage, opened with the code; the headers of its portal. */
export async function openedMessage(
  { db, request }: Pick<TestApi, 'db' | 'request'>,
  tenant: TestTenant,
): Promise<Record<string, string>> {
  const { token, code } = await linkedMessage({ db }, tenant);
  const headers = { 'X-Portal-Token': token };
  const opened = await request<{ session: string }>('POST', '/portal/session', { headers, body: { code } });
  if (opened.status !== 201) throw new Error(JSON.stringify(opened.body));
  return { ...headers, 'X-Portal-Session': opened.body.session };
}

export function codeIn(subject: string): string {
  return /^(\d{6}) /.exec(subject)?.[1] ?? '';
}
