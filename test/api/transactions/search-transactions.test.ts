import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { Json } from '../../api-client.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import {
  createMessagePair,
  createTransaction,
  evmAddress,
  evmHash,
  registerWallet,
} from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
beforeEach(async () => {
  await createTransaction(tenant, {
    originator: { name: 'Somebody Else' },
    metadata: 'nothing',
    reference: 'zzz',
  });
});

async function find(q: string, by: TestTenant = tenant): Promise<string[]> {
  const answer = await by.get<Transaction[]>(`/transactions?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('X-Total-Count')).toBe(String(answer.body.length));
  return answer.body.map((record) => record.id);
}

describe('names', () => {
  test.each([
    ['José Álvarez', 'jose', true],
    ['José Álvarez', 'ÁLVAREZ JOSÉ', true],
    ['José Álvarez', 'jos', true],
    ['José Álvarez', 'alva', true],
    ['José Álvarez', 'jo', false],
    ['José Álvarez', 'al', false],
    ['José Álvarez', 'lvarez', false],
    ['José Álvarez', 'jose garcia', false],
    ['Anna-Maria O’Neill', 'maria', true],
    ['Anna-Maria O’Neill', "o'neill", true],
    ['Li Wei', 'li', true],
    ['Lisa Weiss', 'li', false],
    ['Lisa Weiss', 'we', false],
    ['Straßer', 'strasser', true],
    ['Müller', 'muller', true],
    ['Søren Łukasz', 'soren lukasz', true],
    ['ＡＮＮＡ', 'anna', true],
    ['Янукович', 'янук', true],
    ['Янукович', 'ян', false],
    ['王小明', '王', true],
    ['王小明', '王小', true],
    ['王小明', '小', false],
    ['さくら', 'さ', true],
    ['김철수', '김', true],
    ['Anna Keller', 'anna anna', true],
    ['Anna Keller', '"Anna", (Keller)!', true],
    ['Bartholomew'.repeat(4), 'Bartholomew'.repeat(4), true],
    ['Anna %', '%', false],
    ['Anna _ller', '_ller', true],
  ])('originator %j is found by %j: %s', async (name, q, isFound) => {
    const { id } = await createTransaction(tenant, { originator: { name } });
    expect(await find(q)).toEqual(isFound ? [id] : []);
  });

  const parties = [
    ['name of the beneficiary', { beneficiary: { name: 'Quentin Zeppelin' } }],
    [
      'name of an additional originator',
      { additionalOriginators: [{ name: 'A' }, { name: 'Quentin Zeppelin' }] },
    ],
    [
      'name of the fifth additional originator',
      { additionalOriginators: [{}, {}, {}, {}, { name: 'Quentin Zeppelin' }] },
    ],
    ['first and last name', { originator: { firstName: 'Quentin', lastName: 'Zeppelin' } }],
    ['beneficiary VASP', { vaspInfo: { beneficiaryVaspName: 'Quentin Zeppelin Ltd' } }],
    ['originator VASP', { direction: 'INCOMING', vaspInfo: { originatorVaspName: 'Quentin Zeppelin Ltd' } }],
    ['metadata', { metadata: 'invoice of Quentin, due to Zeppelin' }],
  ] as const;
  test.each(parties)('both words are found in the %s', async (_where, overrides) => {
    const { id } = await createTransaction(tenant, overrides as Json);
    expect(await find('quentin zepp')).toEqual([id]);
  });

  test.each([
    [
      'originator and beneficiary',
      { originator: { firstName: 'Quentin' }, beneficiary: { lastName: 'Zeppelin' } },
    ],
    ['two additional originators', { additionalOriginators: [{ name: 'Quentin' }, { name: 'Zeppelin' }] }],
    ['originator and metadata', { originator: { name: 'Quentin' }, metadata: 'Zeppelin' }],
    [
      'originator and VASP',
      { originator: { name: 'Quentin' }, vaspInfo: { beneficiaryVaspName: 'Zeppelin' } },
    ],
    [
      'both VASPs',
      { direction: 'INCOMING', vaspInfo: { originatorVaspName: 'Quentin', beneficiaryVaspName: 'Zeppelin' } },
    ],
  ])('words of %s are not put together', async (_where, overrides) => {
    const { id } = await createTransaction(tenant, overrides as Json);
    expect(await find('quentin zeppelin')).toEqual([]);
    expect(await find('quentin')).toEqual([id]);
    expect(await find('zeppelin')).toEqual([id]);
  });

  test('a changed name is found, the old one not any more', async () => {
    const { id } = await createTransaction(tenant, { originator: { name: 'Quentin' }, metadata: 'blue' });
    await tenant.patch(`/transactions/${id}`, { originator: { name: 'Zeppelin' }, metadata: null });
    expect([await find('quentin'), await find('blue'), await find('zeppelin')]).toEqual([[], [], [id]]);
  });

  test('q narrows what the filters find, and counts it', async () => {
    const incoming = { direction: 'INCOMING', originator: { name: 'Quentin' } };
    const { id } = await createTransaction(tenant, incoming);
    await createTransaction(tenant, { originator: { name: 'Quentin' } });
    const answer = await tenant.get<Transaction[]>('/transactions?q=quentin&_direction=INCOMING&_end=1');
    expect([answer.body.map((record) => record.id), answer.headers.get('X-Total-Count')]).toEqual([
      [id],
      '1',
    ]);
  });

  test('a query of nine words and more needs the ninth word too', async () => {
    const name = 'Eins Zwei Drei Vier Fünf Sechs Sieben Acht';
    const { id } = await createTransaction(tenant, { originator: { name } });
    expect(await find(name)).toEqual([id]);
    expect(await find(`${name} Neun`)).toEqual([]);
  });
});

describe('addresses', () => {
  const EVM = '0x52908400098527886E0F7030069857D2E4169EE7';
  const SEGWIT = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4';
  const BASE58 = '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2';
  const CASHADDR = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
  const LEGACY_CASH = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
  test.each([
    ['Ethereum', EVM, EVM],
    ['Ethereum', EVM, EVM.toLowerCase()],
    ['Ethereum', EVM.toLowerCase(), EVM],
    ['Ethereum', EVM, EVM.slice(0, 10)],
    ['Ethereum', EVM, EVM.slice(0, 10).toLowerCase()],
    ['Ethereum', EVM, ` ${EVM} `],
    ['Bitcoin', SEGWIT, SEGWIT.toUpperCase()],
    ['Bitcoin', SEGWIT.toUpperCase(), SEGWIT],
    ['Bitcoin', SEGWIT, SEGWIT.slice(0, 8)],
    ['Bitcoin', BASE58, BASE58],
    ['Bitcoin', BASE58, BASE58.slice(0, 6)],
    ['Bitcoin Cash', CASHADDR, CASHADDR],
    ['Bitcoin Cash', CASHADDR, CASHADDR.slice('bitcoincash:'.length)],
    ['Bitcoin Cash', CASHADDR, LEGACY_CASH],
    ['Bitcoin Cash', LEGACY_CASH, LEGACY_CASH],
    ['Bitcoin Cash', LEGACY_CASH, CASHADDR],
    ['Litecoin', '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj', '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj'],
    ['Sui', '0xabc', '0xabc'],
    ['Sui', '0xabc', `0x${'0'.repeat(61)}abc`],
    ['My Own Chain', 'Name.With.Dots', 'Name.With.'],
  ])('on %s: %s is found by %j', async (blockchain, destination, q) => {
    const info = { blockchain, destination };
    const { id } = await createTransaction(tenant, { asset: 'ANY', blockchainInfo: info });
    const other = await createTransaction(tenant, {
      asset: 'ANY',
      blockchainInfo: {
        blockchain,
        origin: destination,
        destination: blockchain === 'My Own Chain' ? 'x' : destination,
      },
    });
    expect((await find(q)).sort()).toEqual([id, other.id].sort());
    if (q === q.trim() && q.length >= destination.length) {
      const listed = await tenant.get<Transaction[]>(`/transactions?_destination=${q}`);
      expect(listed.body.map((record) => record.id)).toContain(id);
    }
  });

  test('a part in the middle finds nothing', async () => {
    await createTransaction(tenant, { blockchainInfo: { destination: EVM } });
    expect(await find(EVM.slice(4, 20))).toEqual([]);
  });
});

describe('hashes, references and ids', () => {
  test.each([
    ['as sent', (hash: string) => hash],
    ['without 0x', (hash: string) => hash.slice(2)],
    ['in capitals', (hash: string) => hash.slice(2).toUpperCase()],
    ['by a prefix with 0x', (hash: string) => hash.slice(0, 12)],
    ['by a prefix without 0x', (hash: string) => hash.slice(2, 12).toUpperCase()],
  ])('a hash is found %s', async (_how, spell) => {
    for (const transactionHash of [evmHash(), evmHash().slice(2).toUpperCase()]) {
      const { id } = await createTransaction(tenant, { blockchainInfo: { transactionHash } });
      expect(
        await find(spell(transactionHash.startsWith('0x') ? transactionHash : `0x${transactionHash}`)),
      ).toEqual([id]);
    }
  });

  test('a hash that is no hex is found by its exact letters', async () => {
    const { id } = await createTransaction(tenant, {
      blockchainInfo: { transactionHash: '5VfYkaQ_not%hex' },
    });
    expect([await find('5VfYkaQ_not%'), await find('5vfykaq')]).toEqual([[id], []]);
  });

  test('a reference is found exactly and by prefix; what LIKE knows as special stands for itself', async () => {
    const references = ['a_b%c\\d', 'aXbYc\\d', 'a_b%c/d'];
    const [special] = await Promise.all(
      references.map(async (reference) => await createTransaction(tenant, { reference })),
    );
    for (const q of ['a_b%c\\d', 'a_b%c\\', 'a_b%c\\d']) expect(await find(q)).toEqual([special?.id]);
    expect((await find('a_b')).length).toBe(2);
    for (const q of ['%', '_', '\\', '%b', 'a_b%c\\d%', 'a_b\\%']) expect(await find(q)).toEqual([]);
  });

  test('an id is found exactly and by a prefix of eight digits and more, in any case', async () => {
    const { id } = await createTransaction(tenant);
    expect(await find(id)).toEqual([id]);
    expect(await find(id.toUpperCase())).toEqual([id]);
    expect(await find(id.slice(0, 20))).toEqual([id]);
    expect(await find(id.slice(0, 8))).toContain(id);
    expect(await find(`${id}0`)).toEqual([]);
    expect(await find(id.replaceAll('-', ''))).toEqual([]);
  });
});

describe('what is never found', () => {
  test('a deleted record, by anything', async () => {
    const transactionHash = evmHash();
    const destination = evmAddress();
    const { id } = await createTransaction(tenant, {
      reference: 'gone-1',
      metadata: 'gone',
      originator: { name: 'Quentin' },
      blockchainInfo: { destination, transactionHash },
    });
    expect(await find('quentin')).toEqual([id]);
    await tenant.delete(`/transactions/${id}`);
    for (const q of [id, 'gone', 'gone-1', 'quentin', destination, transactionHash])
      expect(await find(q)).toEqual([]);
  });

  test('the names of a sealed record, until its wallet is registered', async () => {
    const sender = await createTenant(api);
    const { incomingId, destination } = await createMessagePair(api, sender, tenant, {
      registered: false,
      body: { originator: { name: 'Quentin' }, beneficiary: { name: 'Zeppelin' } },
    });
    expect([await find('quentin'), await find('zeppelin'), await find(sender.name)]).toEqual([[], [], []]);
    expect(await find(destination)).toEqual([incomingId]);
    await registerWallet(tenant, destination);
    expect([await find('quentin'), await find('zeppelin')]).toEqual([[incomingId], [incomingId]]);
  });

  test("another tenant's records", async () => {
    const other = await createTenant(api);
    const destination = evmAddress();
    const mine = await createTransaction(tenant, {
      reference: 'mine',
      originator: { name: 'Quentin' },
      blockchainInfo: { destination },
    });
    for (const q of ['quentin', destination, 'mine', mine.id]) {
      expect(await find(q)).toEqual([mine.id]);
      expect(await find(q, other)).toEqual([]);
    }
  });

  test('what is not for the search: account numbers, addresses of people, notes and reasons', async () => {
    const originator = {
      accountNumber: 'quentin',
      address: 'quentin',
      placeOfBirth: 'quentin',
      customerIdentification: 'quentin',
    };
    await createTransaction(tenant, {
      originator,
      internalNote: 'quentin',
      blockchainInfo: { destinationTag: 'quentin' },
    });
    expect(await find('quentin')).toEqual([]);
  });
});

test('search tokens of two tenants for one name differ', async () => {
  const other = await createTenant(api);
  for (const by of [tenant, other]) await createTransaction(by, { originator: { name: 'Quentin' } });
  const { rows } = await database.pool.query<{ shared: number }>(
    `select count(*)::int as shared from transactions a join transactions b
       on a.tenant_id = $1 and b.tenant_id = $2 and a.search_tokens && b.search_tokens`,
    [tenant.id, other.id],
  );
  expect(rows[0]?.shared).toBe(0);
});
