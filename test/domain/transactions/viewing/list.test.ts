import { normalAddress, normalHash } from '../../../../domain/address.ts';
import { normalisedFilters, ListTransactionsQuery } from '../../../../domain/transactions/viewing/list.ts';

/** A stored address as sent and the chain it was sent for. */
test.each([
  ['Ethereum', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['Ethereum', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ['Bitcoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4'],
  ['Bitcoin', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
  ['Bitcoin Cash', '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu'],
  ['Bitcoin Cash', 'qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
  ['Litecoin', '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj'],
  ['Aptos', '0x1'],
  ['Stellar', 'GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7'],
  ['Some Chain', 'account:AbC-17'],
  [null, '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
])('on %s the filter finds %s as it was sent', (blockchain, address) => {
  const stored = normalAddress(blockchain, address);
  const { destination } = normalisedFilters({ destination: address, transactionHash: undefined });
  expect(destination).toContain(stored.ok && stored.normal);
});

test('the filter finds an address by another spelling of it, and no other address', () => {
  const { destination } = normalisedFilters({
    destination: 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
    transactionHash: undefined,
  });
  expect(destination).toEqual(['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a']);
  const checksummed = normalisedFilters({
    destination: '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
    transactionHash: undefined,
  });
  expect(checksummed.destination).toContain('0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed');
});

test('the filter finds a hash in any spelling', () => {
  const hash = 'AB'.repeat(32);
  for (const transactionHash of [hash, `0x${hash}`, hash.toLowerCase()]) {
    expect(normalisedFilters({ destination: undefined, transactionHash })).toEqual({
      transactionHash: normalHash(hash),
    });
  }
});

test('the filters find tickers in any case and blockchains by any of their names', () => {
  expect(
    normalisedFilters({ asset: ['eth', 'Usdc'], blockchain: ['BSC', 'eip155:1', ' Some Chain'] }),
  ).toEqual({
    asset: ['ETH', 'USDC'],
    blockchain: ['BNB Smart Chain', 'Ethereum', 'some chain'],
  });
});

test('no filter asks for nothing', () => {
  expect(normalisedFilters({ destination: undefined, transactionHash: undefined })).toEqual({});
});

test('every filter and order of the list is accepted by its name', () => {
  const { filters, sort } = ListTransactionsQuery.parse({
    _status: 'PENDING,FAILED',
    _subStatus: 'VASP_NOT_FOUND',
    _direction: 'INCOMING',
    _reference: 'order-1',
    _transactionHash: 'abc',
    _destination: '0x1',
    _from: '2026-11-01T00:00:00Z',
    _to: '2026-11-30T00:00:00Z',
    _updatedFrom: '2026-11-02T00:00:00Z',
    _clearance: 'WAIT,STOP',
    _nextAction: 'REVIEW',
    _hold: 'SANCTIONS',
    _asset: 'eth',
    _blockchain: 'BSC,Some Chain',
    _counterpartyEntityId: '0190D1A2-7B3C-7DEF-8123-456789ABCDEF',
    _sort: 'amountEur',
  });
  expect(sort).toBe('amountEur');
  expect(filters).toEqual({
    status: ['PENDING', 'FAILED'],
    subStatus: ['VASP_NOT_FOUND'],
    direction: 'INCOMING',
    reference: 'order-1',
    transactionHash: 'abc',
    destination: '0x1',
    from: new Date('2026-11-01T00:00:00Z'),
    to: new Date('2026-11-30T00:00:00Z'),
    updatedFrom: new Date('2026-11-02T00:00:00Z'),
    clearance: ['WAIT', 'STOP'],
    nextAction: ['REVIEW'],
    hold: ['SANCTIONS'],
    asset: ['eth'],
    blockchain: ['BSC', 'Some Chain'],
    counterpartyEntityId: ['0190d1a2-7b3c-7def-8123-456789abcdef'],
  });
});

test.each([
  { _status: 'REJECTED' },
  { _direction: 'BOTH' },
  { _sort: 'reference' },
  { _hold: 'NONE' },
  { _asset: 'E T' },
  { _asset_: 'ETH' },
])('%j is refused', (query) => {
  expect(ListTransactionsQuery.safeParse(query).success).toBe(false);
});
