import { hexToBytes } from '@noble/hashes/utils.js';
import { base58CheckText } from '../../domain/addresses/base58.ts';
import { decodeCashAddr } from '../../domain/addresses/cashaddr.ts';
import { looksLikeEvm } from '../../domain/addresses/evm.ts';
import { normalForms, otherSpellings } from '../domain/addresses/vectors.ts';

/** The spellings of one address on one chain. */
interface AddressSpellings {
  blockchain: string;
  normal: string;
  spellings: string[];
}

/** Forms of the same account that carry a tag or an id; a transaction refuses them, a search does not. */
const TAGGED: readonly (readonly [normal: string, tagged: string])[] = [
  // XLS-5, with the tag 1; SEP-23, with the id 9223372036854775808; Monero, with a payment id
  ['r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59', 'X7AcgcsBL6XDcUb289X4mJ8djcdyKaGZMhc9YTE92ehJ2Fu'],
  [
    'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
    'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
  ],
];

/** Every address of the vectors with all its spellings: those of the vectors and those that follow from its format. */
export function addressSpellings(): AddressSpellings[] {
  return normalForms.map(([blockchain, normal]) => ({
    blockchain,
    normal,
    spellings: [
      ...new Set([
        normal,
        ...otherSpellings.flatMap(([chain, text, of]) =>
          chain === blockchain && of === normal ? [text] : [],
        ),
        ...TAGGED.flatMap(([of, tagged]) => (of === normal ? [tagged] : [])),
        ...derived(blockchain, normal),
      ]),
    ],
  }));
}

function derived(blockchain: string, normal: string): string[] {
  if (looksLikeEvm(normal)) return [normal.toUpperCase().replace('0X', '0x'), normal.slice(2)];
  if (blockchain === 'Bitcoin Cash') return ofBitcoinCash(normal);
  // Bech32 is one case or the other; base58 is compared whatever its case, as lists are not careful with it.
  return [normal.toUpperCase(), ` ${normal} `];
}

/** Without the prefix, in capitals, the token-aware form and the legacy forms of Bitcoin and BitPay. */
function ofBitcoinCash(normal: string): string[] {
  const hash = decodeCashAddr(normal)?.hash ?? new Uint8Array();
  const legacy = ['00', '1c'].map((version) =>
    base58CheckText(Uint8Array.of(...hexToBytes(version), ...hash)),
  );
  return [normal.split(':')[1] ?? '', normal.toUpperCase(), ...legacy];
}
