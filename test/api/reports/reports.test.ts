import { createHash, randomUUID } from 'node:crypto';
import { makeMinuteLink } from '../../../db/vault/minute-link.ts';
import { queueDueReports } from '../../../db/reports/queue-reports.ts';
import { findUnmadeReport } from '../../../db/reports/store-report.ts';
import { removeOldReports } from '../../../db/reports/remove-old-reports.ts';
import { REPORT_COLUMNS } from '../../../domain/reports/report-row.ts';
import { boundsOf } from '../../../domain/reports/month.ts';
import type { MonthlyReport } from '../../../domain/reports/schema.ts';
import type { Json } from '../../api-client.ts';
import { createdAt, download, linkTo, reportableMonth } from '../../factories/reports.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createMessagePair, fullParty } from '../../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../../system.ts';

let system: TestSystem;
let tenant: TestTenant;
beforeAll(async () => {
  const prices = { ETH: { usd: '4000.1', eur: '3600.2', source: 'test', pricedAt: new Date() } };
  system = await startTestSystem({ prices });
  tenant = await createTenant(system);
});
afterAll(async () => await system.stop());

const month = reportableMonth();
const within = (day: string, of = month) => `${of}-${day}T12:00:00.000Z`;
const make = async (of: string, by: TestTenant = tenant) =>
  await by.post<MonthlyReport>(`/tenant/me/reports/${of}`);
/** Fetches a link to its end. */
async function statusOf(url: string): Promise<number> {
  const answer = await fetch(url);
  await answer.arrayBuffer();
  return answer.status;
}
const list = async (by: TestTenant = tenant) => (await by.get<MonthlyReport[]>('/tenant/me/reports')).body;

describe('201', () => {
  test('the report has the transactions of the month, oldest first, and says what it holds', async () => {
    const alone = await createTenant(system);
    const second = await createdAt(system, alone, within('20'), { reference: 'B-2', amount: '0.5' });
    const first = await createdAt(system, alone, within('02'), { reference: 'A-1', asset: 'USDC' });
    const deleted = await createdAt(system, alone, within('03'));
    await alone.delete(`/transactions/${deleted}`);
    await createdAt(system, alone, within('02', reportableMonth(1)));
    await createdAt(system, tenant, within('02'));
    const { status, body } = await make(month, alone);
    expect(status).toBe(201);
    const file = await download(system, alone, month);
    expect(file.lines.map(({ id }) => id)).toEqual([first, second]);
    expect(file.text.split('\r\n')[0]).toBe(REPORT_COLUMNS.join(','));
    const shown = (await alone.get<Json>(`/transactions/${second}`)).body;
    expect(file.lines[1]).toMatchObject({
      reference: 'B-2',
      direction: 'OUTGOING',
      status: shown['status'],
      createdAt: within('20'),
      asset: 'ETH',
      amount: '0.5',
      amountUsd: '2000.05',
      amountEur: '1800.1',
      transactionHash: '',
    });
    expect(body).toEqual({
      month,
      rows: 2,
      totals: {
        byDirection: {
          OUTGOING: { transactions: 2, volumeUsd: '2000.05', volumeEur: '1800.1', unvalued: 1 },
          INCOMING: { transactions: 0, volumeUsd: '0', volumeEur: '0', unvalued: 0 },
        },
        byStatus: { PENDING: 2, DELIVERED: 0, CONFIRMED: 0, DECLINED: 0, FAILED: 0, CANCELLED: 0 },
      },
      sizeBytes: file.bytes.length,
      sha256: createHash('sha256').update(file.bytes).digest('hex'),
      generatedAt: expect.any(String) as string,
      timeZone: 'UTC',
      downloadEndpoint: `/tenant/me/reports/${month}/download-url`,
    });
    expect(await list(alone)).toEqual([body]);
  });

  test('a month without transactions has a report too: its header', async () => {
    const empty = reportableMonth(35);
    expect(await make(empty)).toMatchObject({ status: 201, body: { rows: 0 } });
    expect((await download(system, tenant, empty)).text).toBe(`${REPORT_COLUMNS.join(',')}\r\n`);
  });

  test('no cell is a formula, and quotes, commas and line feeds stay in their cell', async () => {
    const of = reportableMonth(2);
    const references = ['=1+1', '+1', '-1', '@SUM(A1)', '＝1', 'a,"b"', "'=1"].map(
      (text) => `${text} ${randomUUID()}`,
    );
    for (const [place, reference] of references.entries()) {
      await createdAt(system, tenant, within(`1${place}`, of), {
        reference,
        vaspInfo: { beneficiaryVaspName: '=HYPERLINK("http://evil.example")\nx' },
      });
    }
    await make(of);
    const { lines } = await download(system, tenant, of);
    expect(lines.map(({ reference }) => reference)).toEqual(
      references.map((text) => (/^[=+\-@＝]/.test(text) ? `'${text}` : text)),
    );
    expect(lines[0]?.['counterpartyName']).toBe(`'=HYPERLINK("http://evil.example")\nx`);
  });

  test('nothing of the parties is in it, and of a sealed record not the name that the sender gave itself', async () => {
    const of = reportableMonth(3);
    const receiver = await createTenant(system);
    const parties = { originator: fullParty('Xenophilius'), beneficiary: fullParty('Barnabas') };
    const notes = { metadata: 'Xenophilius', internalNote: 'Xenophilius' };
    const sent = await createMessagePair(system, tenant, receiver, {
      registered: false,
      body: { ...parties, ...notes },
    });
    for (const id of [sent.outgoingId, sent.incomingId]) {
      await system.db.pool.query('update transactions set created_at = $2 where id = $1', [
        id,
        within('05', of),
      ]);
    }
    for (const [by, id] of [
      [tenant, sent.outgoingId],
      [receiver, sent.incomingId],
    ] as const) {
      await make(of, by);
      const { text, lines } = await download(system, by, of);
      expect(lines.map((line) => line['id'])).toEqual([id]);
      expect(text).not.toMatch(/Xenophilius|Barnabas|Zürich|X1234567/);
    }
    const [sealed] = (await download(system, receiver, of)).lines;
    expect(sealed).toMatchObject({
      direction: 'INCOMING',
      subStatus: 'OWNERSHIP_UNCONFIRMED',
      destination: sent.destination,
      counterpartyName: tenant.name,
    });
  });

  test('the month is that of the time zone in the settings, also when it changes', async () => {
    const nepal = await createTenant(system);
    const { from, until } = boundsOf({ month, timeZone: 'Asia/Kathmandu' });
    const before = (end: Date) => new Date(end.getTime() - 1).toISOString();
    const times = [before(from), from.toISOString(), before(until), until.toISOString()];
    const ids: string[] = [];
    for (const time of times) ids.push(await createdAt(system, nepal, time));
    await nepal.patch('/tenant/me/settings', { timeZone: 'Asia/Kathmandu' });
    expect((await make(month, nepal)).body).toMatchObject({ rows: 2, timeZone: 'Asia/Kathmandu' });
    expect((await download(system, nepal, month)).lines.map(({ id }) => id)).toEqual(ids.slice(1, 3));
    await nepal.patch('/tenant/me/settings', { timeZone: null });
    // Of the four only the last two lie in the month of UTC: Nepal's begins and ends before it.
    expect((await make(month, nepal)).body).toMatchObject({ rows: 2, timeZone: 'UTC' });
    expect((await download(system, nepal, month)).lines.map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test('a report in another time zone than that of the settings is made again, in the one by which it was queued', async () => {
    const mover = await createTenant(system);
    await system.db.pool.query('update tenants set created_at = $2 where id = $1', [mover.id, within('15')]);
    const due = async () => {
      const { outbox } = await queueDueReports(system.db, null, new Date());
      return outbox.filter(({ tenantId }) => tenantId === mover.id);
    };
    expect((await make(month, mover)).status).toBe(201);
    expect(await due()).toEqual([]);
    await mover.patch('/tenant/me/settings', { timeZone: 'Pacific/Auckland' });
    const [queued, ...more] = await due();
    expect([more, await due()]).toEqual([[], []]);
    await mover.patch('/tenant/me/settings', { timeZone: null });
    expect(await findUnmadeReport(system.db.pool, queued?.subjectId ?? '')).toMatchObject({
      month,
      timeZone: 'Pacific/Auckland',
    });
  });

  test('made again it replaces the earlier one, whose link still works; its file goes after ten minutes', async () => {
    const alone = await createTenant(system);
    await make(month, alone);
    const url = await linkTo(system, alone, month);
    const id = await createdAt(system, alone, within('07'));
    const { body } = await make(month, alone);
    expect(body.rows).toBe(1);
    expect(await list(alone)).toEqual([body]);
    expect((await download(system, alone, month)).lines.map((line) => line['id'])).toEqual([id]);
    expect((await (await fetch(url)).text()).split('\r\n')).toHaveLength(2);
    await removeReports();
    expect(await statusOf(url)).toBe(200);
    await system.db.pool.query(
      "update monthly_reports set replaced_at = now() - interval '11 minutes' where replaced_at is not null",
    );
    await removeReports();
    expect(await statusOf(url)).toBe(404);
    expect((await download(system, alone, month)).lines).toHaveLength(1);
  });

  test('two requests at once, and a repeat under one key, give one report', async () => {
    const alone = await createTenant(system);
    const headers = { 'Idempotency-Key': randomUUID() };
    const keyed = async () => await alone.post(`/tenant/me/reports/${month}`, undefined, { headers });
    const answers = await Promise.all([make(month, alone), make(month, alone)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [first, again] = [await keyed(), await keyed()];
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(await list(alone)).toEqual([first.body]);
  });
});

test('202 with what is known, while the report is still being made', async () => {
  const { deps } = system;
  const alone = await createTenant(system);
  const given = deps.reportLimitMs;
  deps.reportLimitMs = 0;
  const { rows } = await system.db.pool.query<{ id: string }>(
    `insert into monthly_reports (id, tenant_id, month, time_zone, state, created_at, wake_at)
     values (gen_random_uuid(), $1, $2, 'UTC', 'MAKING', now(), now() + interval '1 hour') returning id`,
    [alone.id, month],
  );
  const answer = await make(month, alone);
  deps.reportLimitMs = given;
  expect(answer).toMatchObject({ status: 202, body: { month, state: 'MAKING' } });
  expect(await list(alone)).toEqual([]);
  expect((await alone.get(`/tenant/me/reports/${month}/download-url`)).status).toBe(404);
  await system.db.pool.query('delete from monthly_reports where id = $1', [rows[0]?.id]);
});

describe('400 for what is no month, or none that can be reported', () => {
  const current = new Date().toISOString().slice(0, 7);
  test.each([
    ['2026-13', 'invalid_format'],
    ['october', 'invalid_format'],
    [current, 'month_not_over'],
    ['2999-01', 'month_not_over'],
    ['2019-01', 'month_too_old'],
  ])('%s: %s', async (ym, code) => {
    const { status, body } = await make(ym);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ pointer: '/ym', code }] } });
    const link = await tenant.get(`/tenant/me/reports/${ym}/download-url`);
    expect(link.status).toBe(code === 'invalid_format' ? 400 : 404);
  });
});

describe('the link', () => {
  beforeAll(async () => void (await make(month)));

  test('works for a minute without a key; browsers keep and show nothing', async () => {
    const { body } = await tenant.get<Json>(`/tenant/me/reports/${month}/download-url`);
    const lifeMs = Date.parse(String(body['expiresAt'])) - Date.now();
    expect(lifeMs).toBeGreaterThan(50_000);
    expect(lifeMs).toBeLessThanOrEqual(60_000);
    const { headers } = await download(system, tenant, month);
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="report-${month}.csv"`,
      'content-type': 'text/csv; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is 404 once its minute is over', async () => {
    const { rows } = await system.db.pool.query<{ id: string }>(
      `select id from monthly_reports where tenant_id = $1 and month = $2 and state = 'STORED'`,
      [tenant.id, month],
    );
    const made = (ageMs: number) =>
      makeMinuteLink(system.db.vault, { what: 'report', id: rows[0]?.id ?? '' }, new Date(Date.now() - ageMs))
        .token;
    expect(await statusOf(`${system.url}/reports/${made(59_000)}`)).toBe(200);
    expect(await statusOf(`${system.url}/reports/${made(60_000)}`)).toBe(404);
  });

  test('is 404 with any of its bits changed, and for a report of another deployment', async () => {
    const url = await linkTo(system, tenant, month);
    const bytes = Buffer.from(url.split('/').at(-1) ?? '', 'base64url');
    for (const at of [0, 15, 21, 22, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      expect(await statusOf(`${system.url}/reports/${changed.toString('base64url')}`)).toBe(404);
    }
    for (const text of ['x', `${bytes.toString('base64url')}A`, bytes.toString('hex')]) {
      expect(await statusOf(`${system.url}/reports/${text}`)).toBe(404);
    }
    expect(await statusOf(`${system.url}/files/${bytes.toString('base64url')}`)).toBe(404);
  });

  test("is made of nobody else's report, and not for who may only read", async () => {
    const stranger = await createTenant(system);
    expect((await stranger.get(`/tenant/me/reports/${month}/download-url`)).status).toBe(404);
    expect(await list(stranger)).toEqual([]);
    const observer = await tenant.as('OBSERVER');
    expect((await observer.get(`/tenant/me/reports/${month}/download-url`)).status).toBe(403);
    expect((await observer.get('/tenant/me/reports')).status).toBe(200);
  });

  test('is 503 while the storage does not answer, and nothing says that somebody had it', async () => {
    const downloads = async () => await countDownloads(tenant);
    const before = await downloads();
    const url = await linkTo(system, tenant, month);
    const { storage } = system.deps;
    system.deps.storage = { ...storage, get: async () => await Promise.reject(new Error('away')) };
    expect(await statusOf(url)).toBe(503);
    system.deps.storage = storage;
    expect(await downloads()).toBe(before);
    expect(await statusOf(url)).toBe(200);
    expect(await downloads()).toBe(before + 1);
  });

  test('takes no HEAD, which would be a download without one', async () => {
    const before = await countDownloads(tenant);
    const answer = await fetch(await linkTo(system, tenant, month), { method: 'HEAD' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await countDownloads(tenant)).toBe(before);
  });
});

async function countDownloads({ id }: TestTenant): Promise<number> {
  const { rows } = await system.db.pool.query<{ count: number }>(
    `select count(*)::int as count from audit_entries where tenant_id = $1 and operation = 'downloadReport'`,
    [id],
  );
  return rows[0]?.count ?? NaN;
}

async function removeReports(): Promise<number> {
  return await removeOldReports(
    system.db.pool,
    async (key) => await system.deps.storage.delete(key),
    new Date(),
  );
}
