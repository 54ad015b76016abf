import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { judgeTransaction } from '../../../transaction-screening/judge-transaction.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import {
  deliver,
  createTransaction,
  evmAddress,
  evmHash,
  readTransaction,
} from '../../factories/transaction.ts';
import { releaseDeps } from '../../factories/release-deps.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi, useTenant, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenantPerTest(api);
const other = useTenant(api);
const receiver = useTenantPerTest(api);
beforeAll(async () => void (await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Somebody Else')])));

const from = (originatorVaspName: string | null) => ({ vaspInfo: { originatorVaspName } });
const record = async (body: Json, blockchainInfo: Json = {}) =>
  await createTransaction(receiver, {
    direction: 'INCOMING',
    ...body,
    blockchainInfo: { blockchain: 'Ethereum', destination: evmAddress(), ...blockchainInfo },
  });
const entityOf = async (tenant: { name: string }) =>
  (await receiver.get<{ id: string }>(`/entities/lookup?name=${encodeURIComponent(tenant.name)}`)).body.id;
const namedBy = async ({ id }: { id: string }) =>
  (await readTransaction(receiver, id)).vaspInfo.originatorVaspEntityId;

/** The counterparty that a record is judged with, and its policy. */
async function judgedWith({ id }: { id: string }): Promise<unknown> {
  const open = await findOpenTransaction(api.db, receiver.id, id);
  if (!open) throw new Error('the record is gone');
  const judged = await eventually(
    async () => await judgeTransaction(releaseDeps(api), open, undefined),
    ({ kind }) => kind === 'JUDGED',
  );
  if (judged.kind !== 'JUDGED') return judged.kind;
  const { counterparty } = judged.settlement.basis;
  return counterparty && { entityId: counterparty.entityId, policy: counterparty.policy };
}

describe('the originator VASP that an own record names', () => {
  test.each([
    ['without a hash', {}],
    ['with a hash', { transactionHash: evmHash() }],
  ])('is its counterparty at once, %s, and its policy holds for it', async (_name, place) => {
    const entityId = await entityOf(sender);
    expect((await receiver.patch(`/counterparties/${entityId}`, { policy: 'BLOCK' })).status).toBe(200);
    const own = await record(from(sender.name.toUpperCase()), place);
    expect(own.vaspInfo.originatorVaspEntityId).toBe(entityId);
    expect(await namedBy(own)).toBe(entityId);
    expect(await judgedWith(own)).toEqual({ entityId, policy: 'BLOCK' });
  });

  test('follows its name: another VASP, nobody known, nobody, the tenant itself', async () => {
    const own = await record(from(sender.name));
    const named: unknown[] = [];
    for (const name of [other.name, 'Nobody That Anybody Knows', sender.name, null, receiver.name]) {
      expect((await receiver.patch(`/transactions/${own.id}`, from(name))).status).toBe(200);
      named.push(await namedBy(own));
    }
    expect(named).toEqual([await entityOf(other), null, await entityOf(sender), null, null]);
  });

  test('is nobody where several have the name, where it is the tenant, or where the deposit is of a self-hosted wallet', async () => {
    const alias = `Alias ${sender.id}`;
    for (const { id } of [sender, other])
      await database.pool.query(
        `insert into entity_names (entity_id, kind, folded) select entity_id, 'ALIAS', lower($2) from tenants where id = $1`,
        [id, alias],
      );
    expect((await record(from(alias))).vaspInfo.originatorVaspEntityId).toBeNull();
    expect((await record(from(receiver.name))).vaspInfo.originatorVaspEntityId).toBeNull();
    const selfHosted = await record(from(sender.name), { originType: 'NON_CUSTODIAL', origin: evmAddress() });
    expect(selfHosted.vaspInfo.originatorVaspEntityId).toBeNull();
    expect(await judgedWith(selfHosted)).toBeNull();
  });

  test('is screened with as soon as somebody has that name', async () => {
    const name = `Later ${receiver.id}`;
    const own = await record(from(name));
    expect(await judgedWith(own)).toBeNull();
    const later = await createTenant(api, { name });
    expect(await judgedWith(own)).toMatchObject({ entityId: await entityOf(later) });
  });

  test('has sent no message by that: what the tenant itself left out is not missing in one', async () => {
    const own = await record(from(sender.name));
    await database.pool.query('update transactions set incomplete = true where id = $1', [own.id]);
    const { body } = await receiver.get(`/counterparties/${await entityOf(sender)}`);
    expect(body).toMatchObject({ incomplete: 0, sent: 0 });
  });
});

describe('a message for the transfer, whose hash comes later', () => {
  const typesOf = async ({ id }: { id: string }) =>
    (await receiver.get<EventView[]>(`/transactions/${id}/events`)).body.map(({ type }) => type).toReversed();

  async function both(
    name: string | null,
  ): Promise<{ own: Transaction; incomingId: string; sentId: string }> {
    const destination = evmAddress();
    const transactionHash = evmHash();
    const sent = await createTransaction(sender, {
      originator: { name: 'Anna Keller' },
      blockchainInfo: { blockchain: 'Ethereum', destination },
    });
    await receiver.post('/wallets', { address: destination, asset: '*', blockchain: 'Ethereum' });
    const incomingId = await deliver(api, sender, receiver, sent.id);
    const own = await record(name === null ? {} : from(name), { destination, transactionHash });
    expect((await sender.patch(`/transactions/${sent.id}`, { transactionHash })).status).toBe(200);
    return { own, incomingId, sentId: sent.id };
  }

  test('of the VASP that the record names is said to be of the named sender, once', async () => {
    const { own, incomingId } = await both(sender.name);
    expect(await readTransaction(receiver, own.id)).toMatchObject({ relatedTransactionId: incomingId });
    expect((await typesOf(own)).filter((type) => type !== 'SCREENED')).toEqual([
      'CREATED',
      'RELATED',
      'SENDER_NAMED',
    ]);
    await receiver.patch(`/transactions/${own.id}`, from(sender.name.toUpperCase()));
    expect((await typesOf(own)).filter((type) => /NAMED|COMPLETED/.test(type))).toEqual(['SENDER_NAMED']);
    expect(await namedBy(own)).toBe(await entityOf(sender));
  });

  test('of the VASP that the record names afterwards fills it', async () => {
    const { own } = await both(null);
    expect(await readTransaction(receiver, own.id)).toMatchObject({ originator: null });
    await receiver.patch(`/transactions/${own.id}`, from(sender.name));
    expect(await readTransaction(receiver, own.id)).toMatchObject({ originator: { name: 'Anna Keller' } });
    expect(await typesOf(own)).toContain('COMPLETED');
    await receiver.patch(`/transactions/${own.id}`, from(other.name));
    expect(await readTransaction(receiver, own.id)).toMatchObject({
      relatedTransactionId: null,
      originator: null,
      vaspInfo: { originatorVaspEntityId: await entityOf(other) },
    });
  });
});
