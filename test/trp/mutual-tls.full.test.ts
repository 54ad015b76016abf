import { X509Certificate } from 'node:crypto';
import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import { encodeTravelAddress } from '../../domain/travel-address/travel-address.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { Wallet } from '../../domain/wallets/schema.ts';
import type { Json } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress, evmHash } from '../factories/transaction.ts';
import { localCertificate, trpOverTls } from '../factories/trp-over-tls.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

// Two deployments in production, each with its own certificate, each an entity in the other's directory.

const [ofWest, ofEast] = [localCertificate(), localCertificate()];
let west: TestSystem;
let east: TestSystem;
let alpine: TestTenant;
let harbour: TestTenant;
/** Alpine Exchange in the directory of the east. */
let alpineEntity: string;

beforeAll(async () => {
  west = await startTestSystem({ config: trpOverTls(ofWest, [ofEast]) });
  east = await startTestSystem({ config: trpOverTls(ofEast, [ofWest]), sharesRuntime: true });
  for (const { db } of [west, east]) await ensureGateways(db, new Date());
  alpine = await createTenant(west, { name: 'Alpine Exchange', country: 'CH' });
  harbour = await createTenant(east, { name: 'Harbour Custody', country: 'DE' });
  alpineEntity = await enter(east, 'Alpine Exchange', west);
  await enter(west, 'Harbour Custody', east);
});
afterAll(async () => {
  await west.stop();
  await east.stop();
});

/** Puts a VASP of `there` into the directory of `here`. */
async function enter(here: TestSystem, name: string, there: TestSystem): Promise<string> {
  const rules = { environment: 'production', allowedHosts: ['localhost'] } as const;
  const encoded = encodeTravelAddress(new URL('/trp', there.config.TRP_URL), rules);
  const made = await here.request<Json>('POST', '/operator/entities', {
    operatorKey: here.operatorKey,
    body: {
      name,
      type: 'exchange',
      networks: ['TRP'],
      travelAddress: encoded.ok ? encoded.travelAddress : '',
    },
  });
  expect(made.status).toBe(201);
  return String(made.body['id']);
}

async function newWallet(): Promise<{ address: string; travelAddress: string }> {
  const address = evmAddress();
  const { id } = (await harbour.post<Wallet>('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' }))
    .body;
  const found = await harbour.get<{ travelAddress: string }>(`/wallets/${id}/travel-address`);
  expect(found.status).toBe(200);
  return { address, travelAddress: found.body.travelAddress };
}

async function send(travelAddress: string, place: object): Promise<string> {
  const sent = await alpine.post<Transaction>('/transactions', {
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { blockchain: 'Ethereum', ...place },
    vaspInfo: { beneficiaryTravelAddress: travelAddress },
    originator: { name: 'Anna Keller', country: 'CH' },
    beneficiary: { name: 'Jonas Brandt' },
  });
  expect(sent.status).toBe(201);
  return sent.body.id;
}

const read = async (tenant: TestTenant, id: string) =>
  (await tenant.get<Transaction>(`/transactions/${id}`)).body;

test('the sender is proven by the certificate that the worker shows, and the answer comes back', async () => {
  const { address, travelAddress } = await newWallet();
  const id = await send(travelAddress, { destination: address, destinationType: 'CUSTODIAL' });
  const [incoming] = await eventually(
    async () =>
      (await harbour.get<Transaction[]>(`/transactions?_direction=INCOMING&_destination=${address}`)).body,
    (list) => list.length === 1,
  );
  expect(incoming).toMatchObject({
    travelRuleMessageSource: 'TRP',
    vaspInfo: { originatorVaspName: 'Alpine Exchange', originatorVaspEntityId: alpineEntity },
  });
  const { rows } = await east.db.pool.query<{ sender: string }>('select sender from trp_transfers');
  const { fingerprint256 } = new X509Certificate(ofWest.cert);
  expect(rows).toEqual([{ sender: `certificate:${fingerprint256.replaceAll(':', '').toLowerCase()}` }]);
  expect((await harbour.patch(`/transactions/${incoming?.id}`, { status: 'CONFIRMED' })).status).toBe(200);
  await eventually(
    async () => await read(alpine, id),
    ({ status }) => status === 'CONFIRMED',
  );
});

test('a message of the proven sender completes the record that the receiver made before', async () => {
  const { address, travelAddress } = await newWallet();
  const place = { destination: address, destinationType: 'CUSTODIAL', transactionHash: evmHash() };
  const own = await harbour.post<Transaction>('/transactions', {
    direction: 'INCOMING',
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { blockchain: 'Ethereum', ...place },
    vaspInfo: { originatorVaspName: 'Alpine Exchange' },
  });
  expect([own.status, own.body]).toEqual([201, expect.anything()]);
  await send(travelAddress, place);
  const completed = await eventually(
    async () => await read(harbour, own.body.id),
    ({ status }) => status === 'DELIVERED',
  );
  expect(completed).toMatchObject({
    originator: { name: 'Anna Keller' },
    vaspInfo: { originatorVaspEntityId: alpineEntity },
  });
});
