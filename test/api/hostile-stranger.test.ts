import { ensureGateways } from '../../db/gateways/ensure-gateways.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { INQUIRY_PATH, travelTokenIn } from '../../domain/travel-address/travel-url.ts';
import type { Json, TestAnswer } from '../api-client.ts';
import { createOutsider } from '../factories/portal.ts';
import { untilListsLoaded } from '../factories/judged.ts';
import { activateList, listEntry } from '../factories/sanctions.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { evmAddress, evmHash } from '../factories/transaction.ts';
import { labelsOf, normalAnswer } from '../hostile/normal-form.ts';
import { useApi } from '../use-api.ts';

// A travel address is public, and so are hashes: whoever has both sends messages of a transfer without a key.

const { api } = useApi({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'], RATE_LIMIT_TRP: 0 } });
let honest: string;

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [listEntry('1', 'Barnabas Ravenscroft')]);
  await ensureGateways(api.db, new Date());
  honest = (await createOutsider(api, { name: 'Merlion Exchange' })).name;
});

interface Besieged {
  tenant: TestTenant;
  address: string;
  hash: string;
  token: string;
}

async function newVictim(): Promise<Besieged> {
  const tenant = await createTenant(api);
  const address = evmAddress();
  const { body } = await tenant.post('/wallets', { address, asset: 'ETH', blockchain: 'Ethereum' });
  const path = `/wallets/${Number(body['id'])}/travel-address`;
  const { travelAddress } = (await tenant.get<{ travelAddress: string }>(path)).body;
  await untilListsLoaded(api, tenant.id);
  return { tenant, address, hash: evmHash(), token: travelTokenIn(travelAddress) ?? '' };
}

const person = (primaryIdentifier: string) => ({
  naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier, nameIdentifierType: 'LEGL' }] } },
});
const vaspNamed = (legalPersonName: string) => ({
  originatingVASP: {
    legalPerson: {
      name: { nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }] },
      nationalIdentification: { nationalIdentifier: 'X1', nationalIdentifierType: 'MISC' },
    },
  },
});

let identifiers = 0;

/** Three messages of the victim's transfer: of a listed person, of a clean one, and in the name of the VASP that has sent it. */
async function attack({ token, hash }: Besieged): Promise<void> {
  const parts: [string, Json][] = [
    ['Barnabas Ravenscroft', {}],
    ['Mallory', {}],
    ['Mallory', { originatingVASP: vaspNamed(honest) }],
  ];
  for (const [name, more] of parts) {
    const body = {
      asset: { slip0044: 60 },
      amount: 1.5,
      callback: 'https://mallory.example/in',
      IVMS101: {
        originator: { originatorPersons: [person(name)] },
        beneficiary: { beneficiaryPersons: [person('Jonas Brandt')] },
        ...more,
      },
      extensions: {
        'waybill-transfer': { asset: 'ETH', blockchain: 'Ethereum', amount: '1.5', transactionHash: hash },
      },
    };
    const headers = { 'api-version': '3.2.1', 'request-identifier': `m-${(identifiers += 1)}` };
    const sent = await api.request('POST', `${INQUIRY_PATH}${token}?t=i`, { body, headers });
    expect(sent.status).toBe(200);
  }
}

/** The victim stops what the stranger sent of a listed person, as it should. */
async function blockMessages({ tenant }: Besieged): Promise<void> {
  const { body } = await tenant.get<Transaction[]>('/transactions?_direction=INCOMING');
  const held = body.filter(
    ({ status, clearance }) => status === 'DELIVERED' && clearance.reasons.includes('SANCTIONS'),
  );
  for (const { id } of held) {
    const blocked = await tenant.post(`/transactions/${id}/review`, {
      decision: 'BLOCK',
      reason: 'A match.',
    });
    expect(blocked.status).toBe(200);
  }
}

/** The victim records the deposit of a VASP that the directory has, and confirms it, while `between` happens. */
async function receive(victim: Besieged, between: () => Promise<void>): Promise<TestAnswer<unknown>[]> {
  const { tenant, address, hash } = victim;
  await between();
  const made = await tenant.post<Transaction>('/transactions', {
    direction: 'INCOMING',
    asset: 'ETH',
    amount: '1.5',
    vaspInfo: { originatorVaspName: honest },
    originator: { name: 'Anna Keller' },
    beneficiary: { name: 'Jonas Brandt' },
    blockchainInfo: {
      blockchain: 'Ethereum',
      destination: address,
      destinationType: 'CUSTODIAL',
      transactionHash: hash,
    },
  });
  expect(made.status).toBe(201);
  await between();
  const path = `/transactions/${made.body.id}`;
  const confirmed = await tenant.patch(path, { status: 'CONFIRMED' });
  await between();
  return [made, confirmed, await tenant.get(path)];
}

const normal = ({ tenant, address, hash }: Besieged, answers: TestAnswer<unknown>[]) => {
  const labels = new Map(labelsOf({ name: tenant.name, address, hash }));
  return answers.map((answer) => normalAnswer(answer, labels));
};

test.each([
  ['looks at nothing of it', false],
  ['stops what it finds', true],
])('a stranger stops no deposit of a VASP that is known, while its receiver %s', async (_, isReviewed) => {
  const [victim, peaceful] = [await newVictim(), await newVictim()];
  const expected = await receive(peaceful, async () => undefined);
  const answers = await receive(victim, async () => {
    await attack(victim);
    if (isReviewed) await blockMessages(victim);
  });
  expect(normal(victim, answers)).toEqual(normal(peaceful, expected));
});
