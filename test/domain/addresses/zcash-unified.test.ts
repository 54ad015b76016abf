import { hexToBytes } from '@noble/hashes/utils.js';
import { bech32, bech32m } from '@scure/base';
import { base58CheckText } from '../../../domain/addresses/base58.ts';
import { addressesInUnified } from '../../../domain/addresses/zcash-unified.ts';
import { findWalletAmong, listEntry } from '../../factories/sanctions.ts';

/** Unified addresses with their receivers in hex, of zcash/zcash-test-vectors, unified_address.json. */
const VECTORS: readonly [unified: string, keyHash: string | null, sapling: string | null][] = [
  [
    'u1l8xunezsvhq8fgzfl7404m450nwnd76zshscn6nfys7vyz2ywyh4cc5daaq0c7q2su5lqfh23sp7fkf3kt27ve5948mzpfdvckzaect2jtte308mkwlycj2u0eac077wu70vqcetkxf',
    '7bb83570b8fae146e03c5331a020b1e0892f631d',
    'd8ef8293d26de832e7193f296ba1922d90f122c6135bc231eebd91efdb03b1a8606771cd4fd6480574d43e',
  ],
  // With an Orchard receiver after them
  [
    'u1pg2aaph7jp8rpf6yhsza25722sg5fcn3vaca6ze27hqjw7jvvhhuxkpcg0ge9xh6drsgdkda8qjq5chpehkcpxf87rnjryjqwymdheptpvnljqqrjqzjwkc2ma6hcq666kgwfytxwac8eyex6ndgr6ezte66706e3vaqrd25dzvzkc69kw0jgywtd0cmq52q5lkw6uh7hyvzjse8ksx',
    'cad268758c5e71493066446b98e71df9d1d6a5ca',
    '9f6e0bf90a18fc0b9b83ae9f23ad4358648638482b5def8975635b66fd8a708335f9235a3186ec0f033f84',
  ],
  [
    'u1snf9yr883aj2hm8pksp9aymnqdwzy42rpzuffevj35hhxeckays5pcpeq7vy2mtgzlcuc4mnh9443qnuyje0yx6h59angywka4v2ap6kchh2j96ezf9w0c0auyz3wwts2lx5gmk2sk9',
    '871a089d446268aa7ac03d2a6f60ae70808f3974',
    null,
  ],
  [
    'u1ay3aawlldjrmxqnjf5medr5ma6p3acnet464ht8lmwplq5cd3ugytcmlf96rrmtgwldc75x94qn4n8pgen36y8tywlq6yjk7lkf3fa8wzjrav8z2xpxqnrnmjxh8tmz6jhfh425t7f3vy6p4pd3zmqayq49efl2c4xydc0gszg660q9p',
    null,
    '88533c398a49c2513dc85162bf220abaf47dc983f14e908ddaaa7322dba16531bc62efe750fe575c8d149b',
  ],
  // Orchard alone
  [
    'u1ddnjsdcpm36r6aq79n3s68shjweksnmwtdltrh046s8m6xcws9ygyawalxx8n6hg6vegk0wh8zjnafxgh6msppjsljvyt0ynece3lvm0',
    null,
    null,
  ],
  // With a receiver of an unknown kind, so that the right half is longer than three hashes
  [
    'u1en8ysypun4gdkdnu8zqqg6k73ankr9ffwfzg08wtzg9z939w0wupewemfrc8a630e8gc4uqucym0l4v44fszy3et4veyypt3jsyp0whfpfsn2lw30kj8nepe6wvvasf00wklh85u9v8glqndupmamk9z2ja9sanf70pp4yxvkt3dmyzxa0kkhv2c9pxmkghrxqk0590azvya3nzrtevj449nu3laskrhf7c7nj9cyw7ty38mccg4znrr876guu6pzndx7ngwzhmlsn8d89saf5araaacrhr9958xr6z23mj4qtzzn98whdpu8u7n8fhf5d2vypljda62q73du44sf0e0kxmq3gvgkta0qqgq9w6r403gc5jz2any02etmwlttkv84hgh95czhdf2jugk3u36ke0kchcthg240',
    '06974d8bcd8ba8ef89ce36a653d93868251c2e3d',
    null,
  ],
];

/** Of an earlier revision of the same file: a script hash and a Sapling receiver. */
const WITH_SCRIPT_HASH =
  'u1k9kavjcgta8y9t9lv3grvry5fqs6avhe9panu4jlg5j5mkkn4wj844mau24n4hx79yst6glun3wa095upapkqhgyrq9kfd7jr7q9dgpafhwvgl8ujxrlprl5zahl69cprsets6h2t98';

const transparent = (hash: string) => base58CheckText(hexToBytes(`1cb8${hash}`));
const sapling = (receiver: string) => bech32.encode('zs', bech32.toWords(hexToBytes(receiver)), false);

test.each(VECTORS)('%s has these receivers', (unified, keyHash, saplingReceiver) => {
  const expected = [
    ...(keyHash === null ? [] : [transparent(keyHash)]),
    ...(saplingReceiver === null ? [] : [sapling(saplingReceiver)]),
  ];
  expect(addressesInUnified(unified)).toEqual(expected);
  expect(addressesInUnified(unified.toUpperCase())).toEqual(expected);
});

test('a script hash is a t3 address', () => {
  expect(addressesInUnified(WITH_SCRIPT_HASH)).toEqual([
    base58CheckText(hexToBytes('1cbde6cabf813929132d772d04b03ae85223d03b9be8')),
    sapling('435b0bbc95b5b7d52531a3944f2b85603ee22aaf850963bc156eb561edf2cbe7cf0e770e393ae5d7049026'),
  ]);
});

test('other texts have none', () => {
  const [unified = ''] = VECTORS[0] ?? [];
  const { words } = bech32m.decode(unified as `${string}1${string}`, false);
  const others = [
    '',
    'u1',
    transparent('7b'.repeat(20)),
    unified.replace('l8x', 'l8y'),
    // Of another network, with the wrong padding.
    bech32m.encode('utest', words, false),
    bech32.encode('u', words, false),
    bech32m.encode('u', bech32m.toWords(new Uint8Array(38)), false),
    bech32m.encode('u', bech32m.toWords(new Uint8Array(3)), false),
  ];
  for (const text of others) expect([text, addressesInUnified(text)]).toEqual([text, []]);
});

describe.each(VECTORS.slice(0, 4))('a listed receiver of %s', (unified, keyHash, saplingReceiver) => {
  const receivers = [
    ...(keyHash === null ? [] : [transparent(keyHash)]),
    ...(saplingReceiver === null ? [] : [sapling(saplingReceiver)]),
  ];
  const findIn = (listed: string, searched: string) => {
    const entry = listEntry('1', 'Holder', { wallets: [{ asset: 'ZEC', address: listed }] });
    return findWalletAmong([entry])(searched).length;
  };

  test('is found by the unified address, alone or in a payment URI, and a listed unified address by its receivers', () => {
    for (const receiver of receivers) {
      expect(findIn(receiver, unified)).toBe(1);
      expect(findIn(receiver, `zcash:${unified}?amount=1`)).toBe(1);
      expect(findIn(unified, receiver)).toBe(1);
    }
    expect(findIn(transparent('00'.repeat(20)), unified)).toBe(0);
  });
});
