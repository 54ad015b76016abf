import { productFolders, sourcesIn, textOf } from '../../../house.ts';

/**
 * Everything in viem that takes a hash or typed data from its caller. With any of them, somebody's token permit could
 * be submitted as a proof that its owner controls the wallet.
 */
const FORBIDDEN = [
  'recoverAddress',
  'recoverTypedDataAddress',
  'recoverTransactionAddress',
  'recoverAuthorizationAddress',
  'verifyTypedData',
  'verifyHash',
  'verifyAuthorization',
  'hashTypedData',
];

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

/** How a source file could reach one of the functions: by its name, or by holding the whole library. */
function hashPathsIn(source: string): string[] {
  const code = withoutComments(source);
  const names = FORBIDDEN.filter((name) => new RegExp(`\\b${name}\\b`).test(code));
  const library = String.raw`['"](?:viem|ox)(?:/[^'"]*)?['"]`;
  const wholes = [
    ['everything as one object', `import\\s+\\*[^;]*from\\s*${library}`],
    ['a default import', `import\\s+(?!type\\b)\\w+[^;]*from\\s*${library}`],
    ['a re-export of everything', `export\\s+\\*[^;]*from\\s*${library}`],
    ['a dynamic import', `import\\(\\s*${library}`],
    ['require', `require\\(\\s*${library}`],
    ['the library viem is built on', `from\\s*['"]ox(?:/[^'"]*)?['"]`],
  ].filter(([, pattern = '']) => new RegExp(pattern).test(code));
  return [...names, ...wholes.map(([what = '']) => what)];
}

const sources = productFolders().flatMap((folder) => sourcesIn(folder));

test('no source file can recover a signer from a given hash or from typed data', () => {
  const found = sources.map((file) => [file, hashPathsIn(textOf(file))] as const);
  expect(found.filter(([, paths]) => paths.length > 0)).toEqual([]);
});

test('the one recovery of an EVM signer is the one over text', () => {
  const users = sources.filter((file) => /\brecoverMessageAddress\b/.test(textOf(file)));
  expect(users).toEqual(['domain/verifications/signatures/check-eip191.ts']);
});

test.each([
  "import { recoverAddress } from 'viem';",
  "import { recoverAddress as innocent } from 'viem/utils';",
  "import { hashMessage, verifyTypedData } from 'viem';",
  'await client.verifyTypedData({ address, domain, types, primaryType, message, signature });',
  'await client.verifyHash({ address, hash, signature });',
  "const name = client['verifyTypedData'];",
  "import * as viem from 'viem';",
  "import viem, { hashMessage } from 'viem/utils';",
  "import viem from 'viem';",
  "export * from 'viem/utils';",
  "const viem = await import('viem');",
  "const viem = require('viem/actions');",
  "import { Secp256k1 } from 'ox';",
])('the search would find: %s', (planted) => {
  expect(hashPathsIn(planted)).not.toEqual([]);
});

test.each([
  "import { recoverMessageAddress } from 'viem/utils';",
  "import type { Hex } from 'viem';",
  "import { createPublicClient, http } from 'viem';",
  '// never verifyTypedData',
  '/** Not recoverAddress({ hash }). */',
])('the search lets pass: %s', (planted) => {
  expect(hashPathsIn(planted)).toEqual([]);
});
