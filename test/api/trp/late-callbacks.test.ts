import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import { findGateway } from '../../../db/gateways/find-gateway.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { inquiryHash } from '../../../db/trp/inquiry-hash.ts';
import type { TrpTransfer } from '../../../db/trp/transfer-row.ts';
import { findTransferOf, findTransferByToken, prepareInquiry } from '../../../db/trp/transfers.ts';
import type { EventView } from '../../../domain/events/schema.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import { encodeTravelAddress } from '../../../domain/travel-address/travel-address.ts';
import { INQUIRY_PATH, travelTokenIn } from '../../../domain/travel-address/travel-url.ts';
import type { Wallet } from '../../../domain/wallets/schema.ts';
import type { Json } from '../../api-client.ts';
import { payloadOf } from '../../domain/ivms101/fixtures.ts';
import { activateList } from '../../factories/sanctions.ts';
import { WEBHOOK_URL } from '../../factories/tenant.ts';
import {
  createTransaction,
  deliverUnscreened,
  evmAddress,
  evmHash,
  letPass,
  readTransaction,
} from '../../factories/transaction.ts';
import { storedWebhooks } from '../../stored-webhooks.ts';
import { useApi, useTenant } from '../../use-api.ts';

// The callbacks of transfers that have their answer: whoever has one may call it as late and as often as it likes.

const { api, database } = useApi({ config: { RATE_LIMIT_TRP: 0 } });
const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

beforeAll(async () => {
  await ensureGateways(api.db, new Date());
  await activateList(database.pool, 'OFAC_SDN', []);
});

/** What the other VASP says by the callback of a transfer. */
async function say(kind: 'resolutions' | 'confirmations', transfer: TrpTransfer, body: Json) {
  const { token } = transfer.secrets;
  const headers = { 'api-version': '3.2.1', 'request-identifier': transfer.requestIdentifier };
  return await api.request('POST', `/trp/${kind}/${token}`, { body, headers });
}

const typesOf = async (id: string) =>
  (await tenant.get<EventView[]>(`/transactions/${id}/events`)).body.map(({ type }) => type);
const versions = async (id: string) => (await storedWebhooks(api, tenant, id)).length;

describe('the answer to an inquiry of ours', () => {
  /** A message that the VASP of a travel address has taken. */
  async function sent() {
    const url = new URL('https://trp.alpine.example/x?t=i');
    const encoded = encodeTravelAddress(url, { environment: 'production', allowedHosts: [] });
    const travelAddress = encoded.ok ? encoded.travelAddress : '';
    const { id } = await createTransaction(tenant, {
      vaspInfo: { beneficiaryTravelAddress: travelAddress },
      originator: { name: 'Anna Keller' },
      beneficiary: { name: 'Jonas Brandt' },
    });
    await letPass(api.db, id);
    const [now, record] = [new Date(), await getTransaction(api.db, tenant.id, id)];
    const inquiry = { tenantId: tenant.id, sentId: id, travelAddress, bodyHash: inquiryHash(api.db, record) };
    const transfer = await prepareInquiry(api.db, { ...inquiry, now });
    const receiverTenantId = await findGateway(api.db.pool, 'TRP');
    const outside = { entityId: null, skipped: [] };
    await deliverUnscreened(api.db, { tenantId: tenant.id, id, receiverTenantId, outside, now });
    return { id, transfer, approved: { approved: { address: record.destination } } };
  }

  test('is kept and applied in one turn: whatever is refused for want of one has changed nothing', async () => {
    const { transfer, approved } = await sent();
    const turns = jest.spyOn(api.deps, 'writeInTurn');
    const { status } = await say('resolutions', transfer, approved);
    expect([status, turns.mock.calls.length]).toEqual([204, 1]);
    turns.mockRestore();
  });

  test('counts once: the same again changes nothing, another one is 409', async () => {
    const { id, transfer, approved } = await sent();
    expect((await say('resolutions', transfer, approved)).status).toBe(204);
    const confirmed = await readTransaction(tenant, id);
    expect(confirmed.status).toBe('CONFIRMED');
    const told = await versions(id);
    const others = [{ rejected: 'NAME_MISMATCH: no' }, { approved: { address: evmAddress() } }];
    const again = await Promise.all(
      [approved, approved, ...others].map((body) => say('resolutions', transfer, body)),
    );
    expect(again.map(({ status }) => status)).toEqual([204, 204, 409, 409]);
    expect(await readTransaction(tenant, id)).toEqual(confirmed);
    expect(await versions(id)).toBe(told);
  });

  test('names once where it is to be told, also in a repeat; another place is 409', async () => {
    const { transfer, approved } = await sent();
    const told = (path: string) => ({
      approved: { ...approved.approved, callback: `https://alpine.example/${path}` },
    });
    const answers = [approved, told('one'), told('one'), approved, told('two')];
    const statuses: number[] = [];
    for (const body of answers) statuses.push((await say('resolutions', transfer, body)).status);
    expect(statuses).toEqual([204, 204, 204, 204, 409]);
    expect(
      (await findTransferByToken(api.db, 'OUTGOING', transfer.secrets.token))?.secrets.peerCallback,
    ).toBe('https://alpine.example/one');
  });

  test('refuses once: the same words again change nothing, others are 409', async () => {
    const { id, transfer } = await sent();
    const refuse = async (rejected: string) => (await say('resolutions', transfer, { rejected })).status;
    expect([await refuse('NAME_MISMATCH: no'), await refuse('NAME_MISMATCH: no')]).toEqual([204, 204]);
    expect(await refuse('UNKNOWN_ADDRESS: no')).toBe(409);
    expect(await readTransaction(tenant, id)).toMatchObject({
      status: 'DECLINED',
      statusReasonCode: 'NAME_MISMATCH',
    });
  });

  test('changes nothing after we have cancelled', async () => {
    const { id, transfer, approved } = await sent();
    await tenant.patch(`/transactions/${id}`, { status: 'CANCELLED' });
    const cancelled = await readTransaction(tenant, id);
    expect((await say('resolutions', transfer, approved)).status).toBe(204);
    expect(await readTransaction(tenant, id)).toEqual(cancelled);
    expect(cancelled.clearance.outcome).toBe('STOP');
  });

  test('with the right token and another request identifier is 404', async () => {
    const { id, transfer, approved } = await sent();
    const wrong = { ...transfer, requestIdentifier: 'another' };
    expect((await say('resolutions', wrong, approved)).status).toBe(404);
    // Nor is it the callback of the other side.
    expect((await say('confirmations', transfer, { canceled: 'no' })).status).toBe(404);
    expect((await readTransaction(tenant, id)).status).toBe('DELIVERED');
  });
});

describe('the end of a transfer that we have answered', () => {
  /** An inquiry that has become a message to the tenant, with the tenant's answer. */
  async function received(status: 'CONFIRMED' | 'DECLINED') {
    const destination = evmAddress();
    const wallet = { address: destination, asset: 'ETH', blockchain: 'Ethereum' };
    const { id: walletId } = (await tenant.post<Wallet>('/wallets', wallet)).body;
    const found = await tenant.get<{ travelAddress: string }>(`/wallets/${walletId}/travel-address`);
    const requestIdentifier = `r-${walletId}`;
    const taken = await api.request('POST', `${INQUIRY_PATH}${travelTokenIn(found.body.travelAddress)}?t=i`, {
      headers: { 'api-version': '3.2.1', 'request-identifier': requestIdentifier },
      body: {
        asset: { slip0044: 60 },
        amount: 1.5,
        callback: 'https://alpine.example/resolutions/1',
        IVMS101: payloadOf('21-analytics-2020.json'),
      },
    });
    expect(taken.status).toBe(200);
    const list = `/transactions?_direction=INCOMING&_destination=${destination}`;
    const id = (await tenant.get<Transaction[]>(list)).body[0]!.id;
    expect((await tenant.patch(`/transactions/${id}`, { status })).status).toBe(200);
    const { rows } = await database.pool.query<{ sent_id: string }>(
      'select sent_id from trp_transfers where request_identifier = $1',
      [requestIdentifier],
    );
    return { id, transfer: (await findTransferOf(api.db, rows[0]!.sent_id))! };
  }

  test.each(['CONFIRMED', 'DECLINED'] as const)(
    'cancelled ten times at once after %s: one event, one webhook, and the decision stands',
    async (status) => {
      const { id, transfer } = await received(status);
      const told = await versions(id);
      const cancel = async () => (await say('confirmations', transfer, { canceled: 'no coins' })).status;
      expect(await Promise.all(Array.from({ length: 10 }, cancel))).toEqual(Array<number>(10).fill(204));
      expect(await cancel()).toBe(204);
      expect((await typesOf(id)).filter((type) => type === 'TRANSFER_CANCELED')).toHaveLength(1);
      expect(await versions(id)).toBe(told + 1);
      expect((await readTransaction(tenant, id)).status).toBe(status);
    },
  );

  test('with a transaction: the same again changes nothing', async () => {
    const { id, transfer } = await received('CONFIRMED');
    const txid = evmHash();
    expect((await say('confirmations', transfer, { txid })).status).toBe(204);
    const hashed = await readTransaction(tenant, id);
    expect(hashed.blockchainInfo.transactionHash).toBe(txid);
    expect((await say('confirmations', transfer, { txid })).status).toBe(204);
    expect(await readTransaction(tenant, id)).toEqual(hashed);
  });

  test('with a transaction after we have declined: the coins came all the same, and the decision stands', async () => {
    const { id, transfer } = await received('DECLINED');
    const txid = evmHash();
    expect((await say('confirmations', transfer, { txid })).status).toBe(204);
    const { status, blockchainInfo, clearance } = await readTransaction(tenant, id);
    expect([status, blockchainInfo.transactionHash, clearance.outcome]).toEqual(['DECLINED', txid, 'STOP']);
  });

  test('with the right token and another request identifier is 404', async () => {
    const { id, transfer } = await received('CONFIRMED');
    const wrong = { ...transfer, requestIdentifier: 'another' };
    for (const body of [{ canceled: 'no' }, { txid: evmHash() }])
      expect((await say('confirmations', wrong, body)).status).toBe(404);
    expect(await typesOf(id)).not.toContain('TRANSFER_CANCELED');
  });
});
