/** Words of several texts. */
export function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Of NIST. */
const BLOCK_CIPHERS = [
  '603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4 2b7e151628aed2a6abf7158809cf4f3c',
  '8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b',
];

/** Of RFC 8032 and RFC 7748. */
const CURVES = [
  '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60 4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
  'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7 f5e5767cf153319517630f226876b86c8160cc583bc013744c6bf255f5cc0ee5',
  '833fe62409237b9d62ec77587520911e9a759cec1d19755b7da901b96dca3d42',
  'a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4',
];

/** The ten accounts that a test chain of Hardhat or Anvil begins with, and those of `ganache -d`. */
const TEST_CHAINS = [
  'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80 59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
  '5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a 7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6',
  '47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a 8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
  '92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e 4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356',
  'dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97 2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6',
  '4f3edf983ac636a65a842ce7c78d9aa706d3b113bce9c46f30d7d21715b23b1d 6cbed15c793ce57650b9877cf6fa156fbef513c4e6134f022a85b1ffdd59b2a1',
  '6370fd033278c143179d81c5526140625662b8daa446c22ee2d73db3707e620c 646f1ce2fdad0e6deeeb5c7e8e5543bdde65e86029e2fd9fc169899c440a7913',
  'add53f9a7e588d003326d1cbf9e4a43c061aadd9bc938c843a79e7b4fd2ad743 395df67f0c2d2d9fe1ad08d1bc8b6627011959b79c53d7dd6a3536a33ab8a4fd',
  'e485d098507f54e7733a205420dfddbe58db035fa577fc294ebd14db90767a52 a453611d9419d0e56f499079478fd72c37b251a94bfde4d19872c44cf65386e3',
  '829e924fdf021ba3dbbc4225edfece9aca04b929d6e75613329ca6f1d31c0bb4 b0057716d5917badaf911b193b12b910811c1497b5bada8d7711f758981c3773',
];

/** The key of RFC 7515 that tokens are signed with. */
const TOKENS = 'aym1sysppbydfgzld3umj1qzkobwvmkoqq-estjqlr_t-1qs0gzh75aktmn3yj0ips4hcguutwjazzr1z9caow';

/** Of tests of tokens and of a cloud, of UUIDs, and of the tests of this product. */
const EXAMPLES = [
  'your-256-bit-secret akiaiosfodnn7example wjalrxutnfemi/k7mdeng/bpxrficyexamplekey 123e4567-e89b-12d3-a456-426614174000',
  '3f9a1c7be2d8450696aa17c4e0b35d2f8841f0c9d7e6b2a3514c8d90ef7b6a21',
];

/** Keys that look random and stand in specifications and guides, in small letters. */
export const PUBLISHED = words(...BLOCK_CIPHERS, ...CURVES, ...TEST_CHAINS, TOKENS, ...EXAMPLES);
