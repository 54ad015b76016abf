import fc from 'fast-check';
import { normalAddress, normalHash } from '../../domain/address.ts';
import { blockchains } from '../../domain/blockchains.ts';

const refusal = { ok: false, message: expect.any(String) as string };

function normalOf(blockchain: string | null, address: string): string {
  const result = normalAddress(blockchain, address);
  if (!result.ok) throw new Error(`${blockchain}: ${address} was refused`);
  return result.normal;
}

describe('EVM', () => {
  const checksummed = [
    '0x52908400098527886E0F7030069857D2E4169EE7',
    '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
    '0xde709f2102306220921060314715629080e2fb77',
    '0x27b1fdb04752bbc536007a920d24acb045561c26',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
    '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
    '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
  ];

  test.each(checksummed)('the EIP-55 vector %s is lower-cased, as are its other spellings', (address) => {
    const lower = address.toLowerCase();
    const upper = `0x${address.slice(2).toUpperCase()}`;
    for (const chain of ['Ethereum', '137', 'zkSync', 'Chain of Tomorrow', null]) {
      expect([address, lower, upper].map((spelling) => normalOf(chain, spelling))).toEqual([
        lower,
        lower,
        lower,
      ]);
    }
  });

  test.each(checksummed.slice(4))('one letter of %s in the wrong case is refused', (address) => {
    const at = address.search(/[a-f]/);
    const wrong = address.slice(0, at) + (address[at] ?? '').toUpperCase() + address.slice(at + 1);
    expect(normalAddress('Ethereum', wrong)).toEqual(refusal);
    expect(normalAddress(null, wrong)).toEqual(refusal);
  });

  test('an unlisted chain may have its own checksum in mixed case', () => {
    expect(normalOf('Rootstock', '0x5aaEB6053f3e94c9b9a09f33669435E7ef1bEAeD')).toBe(
      '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    );
  });

  test.each([
    '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed00',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg',
    'vitalik.eth',
  ])('%s is no EVM address', (address) => {
    expect(normalAddress('Ethereum', address)).toEqual(refusal);
  });
});

describe('Bitcoin', () => {
  /** Valid in BIP-173 and BIP-350. */
  const segwit = [
    'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7',
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y',
    'BC1SW50QGDZ25J',
    'bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs',
    'tb1qqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesrxh6hy',
    'tb1pqqqqp399et2xygdj5xreqhjjvcmzhxw4aywxecjdzew6hylgvsesf3hn0c',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
  ];

  test.each(segwit)('the segwit vector %s is lower-cased, with and without the chain named', (address) => {
    const lower = address.toLowerCase();
    for (const chain of ['Bitcoin', 'BTC', null]) {
      expect(normalOf(chain, address)).toBe(lower);
      expect(normalOf(chain, address.toUpperCase())).toBe(lower);
    }
  });

  test.each([
    // BIP-350
    'tc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq5zuyut',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd',
    'tb1z0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqglt7rf',
    'BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kemeawh',
    'tb1q0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq24jc47',
    'bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4',
    'BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R',
    'bc1pw5dgrnzv',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav',
    'BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vq47Zagq',
    'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v07qwwzcrf',
    'tb1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vpggkg4j',
    'bc1gmk9yu',
    // BIP-173
    'tc1qw508d6qejxtdg4y5r3zarvary0c5xw7kg3g4ty',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5',
    'BC13W508D6QEJXTDG4Y5R3ZARVARY0C5XW7KN40WF2',
    'bc1rw5uspcuh',
    'bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sL5k7',
    'bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du',
    'tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3pjxtptv',
    // Valid in BIP-173, replaced by BIP-350
    'bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7k7grplx',
    'BC1SW50QA3JX3S',
  ])('the invalid segwit vector %s is refused', (address) => {
    expect(normalAddress('Bitcoin', address)).toEqual(refusal);
  });
});

describe('addresses in use on each chain', () => {
  test.each([
    ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['Bitcoin', '3QJmV3qfvL9SuYo34YihAf3sRCW3qSinyC'],
    ['Bitcoin', 'mwUd82cnzriFf6P9NLEfwhzeh3KECDGjq4'],
    ['Litecoin', 'LbTjMGN7gELw4KbeyQf6cTCq859hD18guE'],
    ['Litecoin', 'MK9xC9sbktt6DHMF6XwA3eZPJ2Vx32AXFT'],
    ['Litecoin', 'ltc1qf6wcq8kc0unt3wuaszlkms3zkuerxlfaz07zmj'],
    ['Dogecoin', 'DFrGqzk4ZnTcK1gYtxZ9QDJsDiVM8v8gwV'],
    ['Dogecoin', 'nd5N1KW1waCicK1vqfwtTcBSbQCHBLv2Um'],
    ['Dash', 'XpESxaUmonkq8RaLLp46Brx2K39ggQe226'],
    ['Dash', 'yNpxAuCGxLkDmVRY12m4qEWx1ttgTczSMJ'],
    ['Zcash', 't1gRHW5AYgLsNwKRTLXGcXU2wWdP3C3bEtX'],
    ['Zcash', 't3eF9X6X2dSo7MCvTjfZEzwWrVzquxRLNeY'],
    ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'],
    ['Solana', 'Ds9iTf1dhM3DAwsFPJzYkg7pyGgvJs8UBibvcWaJ98BM'],
    ['Solana', '11111111111111111111111111111111'],
    ['XRP Ledger', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
    ['XRP Ledger', 'r4dgY6Mzob3NVq8CFYdEiPnXKboRScsXRu'],
    ['Cardano', 'addr1v9ywm0h3r8cnxrs04gfy7c3s2j44utjyvn5ldjdca0c2ltccgqdes'],
    ['Cardano', 'Ae2tdPwUPEYwNguM7TB3dMnZMfZxn1pjGHyGdjaF4mFqZF9L3bj6cdhiH8t'],
    ['Near', 'alice.near'],
    ['Hedera', '0.0.1234'],
    ['Chain of Tomorrow', '~any!Printable#Address~'],
  ])('%s keeps %s as it is, and so does an unnamed chain', (chain, address) => {
    expect(normalOf(chain, address)).toBe(address);
    expect(normalOf(null, address)).toBe(address);
  });

  test.each([
    ['Bitcoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb'],
    ['Bitcoin', 'LbTjMGN7gELw4KbeyQf6cTCq859hD18guE'],
    ['Bitcoin', '1111111111111111111114oLvT3'],
    ['Litecoin', '1QLbGuc3WGKKKpLs4pBp9H6jiQ2MgPkXRp'],
    ['Litecoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'],
    ['Dogecoin', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
    ['Dash', 'LbTjMGN7gELw4KbeyQf6cTCq859hD18guE'],
    ['Zcash', 't1gRHW5AYgLsNwKRTLXGcXU2wWdP3C3bEtP'],
    ['Zcash', 't3eF9X6X2dSo7MCvTjfZEzwWrVzquxRLNeC'],
    ['Tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u'],
    ['Tron', '42a614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['Tron', '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'],
    ['Solana', 'o_2htHLoCu2P6tX7RrNVtiG1mYTas8NGJEVLaFEUngk'],
    ['Solana', '1111111111111111111111111111111'],
    ['Solana', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['XRP Ledger', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTi'],
    ['TON', 'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHG'],
    ['TON', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['Aptos', '1'],
    ['Sui', `0x${'a'.repeat(65)}`],
  ])('%s refuses %s', (chain, address) => {
    expect(normalAddress(chain, address)).toEqual(refusal);
  });

  test('every listed chain refuses what is obviously no address', () => {
    for (const { name } of blockchains) expect(normalAddress(name, 'Not-an-address')).toEqual(refusal);
  });
});

describe('one address, one normal form', () => {
  test.each([
    ['1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu', 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a'],
    ['1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR', 'bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy'],
    ['16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb', 'bitcoincash:qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r'],
    ['3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC', 'bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq'],
    ['3LDsS579y7sruadqu11beEJoTjdFiFCdX4', 'bitcoincash:pr95sy3j9xwd2ap32xkykttr4cvcu7as4yc93ky28e'],
    ['31nwvkZwyPdgzjBJZXfDmSWsC4ZLKpYyUw', 'bitcoincash:pqq3728yw0y47sqn6l2na30mcw6zm78dzq5ucqzc37'],
  ])('Bitcoin Cash: %s in every notation', (legacy, cashAddr) => {
    const bare = cashAddr.slice('bitcoincash:'.length);
    expect(normalOf('Bitcoin Cash', legacy)).toBe(cashAddr);
    for (const spelling of [cashAddr, bare, cashAddr.toUpperCase(), bare.toUpperCase()]) {
      expect(normalOf('Bitcoin Cash', spelling)).toBe(cashAddr);
      expect(normalOf(null, spelling)).toBe(cashAddr);
    }
  });

  test('Bitcoin Cash: the token-aware form pays to the same owner, and test networks stay apart', () => {
    expect(normalOf('BCH', 'bitcoincash:zr6m7j9njldwwzlg9v7v53unlr4jkmx6eycnjehshe')).toBe(
      'bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
    );
    expect(normalOf('BCH', 'qp2vjh349lcd22hu0hv6hv9d0pwlk43f6u04d5jk36')).toBe(
      'bchtest:qp2vjh349lcd22hu0hv6hv9d0pwlk43f6u04d5jk36',
    );
    expect(
      normalOf('BCH', 'bitcoincash:pwqwzrf7z06m7nn58tkdjyxqfewanlhyrpxysack85xvf3mt0rv02l9dxc5uf'),
    ).toMatch(/^bitcoincash:pw/);
  });

  test.each([
    'pref:pr6m7j9njldwwzlg9v7v53unlr4jkmx6ey65nvtks5',
    'bitcoincash:bitcoincash:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
    'bitcoincash:QR6M7J9NJLDWWZLG9V7V53UNLR4JKMX6EYLEP8EKG2',
    'bchreg:qr6m7j9njldwwzlg9v7v53unlr4jkmx6eylep8ekg2',
    'bitcoincash:q9adhakpwzztepkpwp5z0dq62m6u5v5xtyj7j3h2ws4mr9g0',
    'bitcoincash:qvch8mmxy0rtfrlarg7ucrxxfzds5pamg73h7370aa87d80gyhqxq5nlegake',
  ])('Bitcoin Cash refuses %s', (address) => {
    expect(normalAddress('Bitcoin Cash', address)).toEqual(refusal);
  });

  test('Litecoin: a script address in the old version is the one in the new version', () => {
    expect(normalOf('Litecoin', '3CDJNfdWX8m2NwuGUV3nhXHXEeLygMXoAj')).toBe(
      'MJRSgZ3UUFcTBTBAaN38XAXvZLwRe8WVw7',
    );
  });

  test.each([
    'EQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p4q2',
    'UQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p9dz',
    'kQDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74pzE8',
    '0QDtFpEwcFAEcRe5mLVh2N6C0x-_hJEM7W61_JLnSF74p2z5',
    'EQDtFpEwcFAEcRe5mLVh2N6C0x+/hJEM7W61/JLnSF74p4q2',
    '0:ED1691307050047117B998B561D8DE82D31FBF84910CED6EB5FC92E7485EF8A7',
  ])('TON: %s', (spelling) => {
    const raw = '0:ed1691307050047117b998b561d8de82d31fbf84910ced6eb5fc92e7485ef8a7';
    expect(normalOf('TON', spelling)).toBe(raw);
    expect(normalOf(null, spelling)).toBe(raw);
  });

  test('Aptos and Sui: case and left-out zeros do not matter', () => {
    expect(normalOf('Aptos', '0x1')).toBe(`0x${'0'.repeat(63)}1`);
    expect(normalOf('Sui', `0x${'0'.repeat(60)}ABCD`)).toBe(normalOf('Sui', '0xabcd'));
    expect(normalOf(null, `0x${'AB'.repeat(32)}`)).toBe(normalOf('Sui', `0x${'ab'.repeat(32)}`));
  });

  test('Zcash and Litecoin: long bech32 addresses are lower-cased', () => {
    const sapling = 'zs1z7rejlpsa98s2rrrfkwmaxu53e4ue0ulcrw0h4x5g8jl04tak0d3mm47vdtahatqrlkngh9slya';
    expect(normalOf('Zcash', sapling.toUpperCase())).toBe(sapling);
    expect(normalAddress('Zcash', sapling.replace(/a$/, 'q'))).toEqual(refusal);
  });
});

describe('any chain', () => {
  test.each(['', ' ', 'a b', ' a', 'a\n', 'a\u0000', 'a\u200bb', 'é', '\ud800', 'x'.repeat(257)])(
    '%p is refused',
    (address) => {
      for (const chain of ['Chain of Tomorrow', 'Cardano', 'Bitcoin', null]) {
        expect(normalAddress(chain, address)).toEqual(refusal);
      }
    },
  );

  test('256 characters are accepted', () => {
    expect(normalOf(null, 'x'.repeat(256))).toHaveLength(256);
  });

  test('a refusal names chain and form but never the address', () => {
    const result = normalAddress('btc', 'SECRET');
    expect(result).toEqual({
      ok: false,
      message: expect.stringMatching(/^is not a valid Bitcoin address; (?!.*SECRET)/) as string,
    });
  });

  test('bech32 with a wrong checksum and mixed case stay two addresses when the chain is not known', () => {
    const wrong = 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T5';
    expect(normalOf(null, wrong)).toBe(wrong);
    expect(normalOf('Chain of Tomorrow', wrong)).toBe(wrong);
  });

  test('two texts that differ by more than case are never one normal form', () => {
    const text = fc
      .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 50 })
      .filter((value) => !value.includes(' '));
    fc.assert(
      fc.property(text, text, (a, b) => {
        fc.pre(a.toLowerCase() !== b.toLowerCase());
        expect(normalOf('Chain of Tomorrow', a)).not.toBe(normalOf('Chain of Tomorrow', b));
      }),
    );
  });
});

describe('normalHash', () => {
  const hex = '5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060';

  test('32 bytes are one hash with and without 0x, in any case', () => {
    const spellings = [hex, hex.toUpperCase(), `0x${hex}`, `0X${hex.toUpperCase()}`];
    expect(new Set(spellings.map(normalHash))).toEqual(new Set([hex]));
  });

  test.each([
    ['0xABCD', '0xabcd'],
    ['ABCD', 'abcd'],
    ['', ''],
    [` ${hex}`, ` ${hex}`],
    [
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    ],
  ])('%p becomes %p', (hash, normal) => {
    expect(normalHash(hash)).toBe(normal);
  });
});
