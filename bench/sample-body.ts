import { createHash } from 'node:crypto';

const FIRST = ['Anna', 'Bela', 'Carl', 'Dina', 'Emil', 'Fina', 'Gaia', 'Ines', 'Jana', 'Kurt', 'Lena'];
const SYLLABLES = [
  'ba',
  'den',
  'fo',
  'gri',
  'kel',
  'lo',
  'mar',
  'ni',
  'po',
  'ras',
  'sti',
  'tur',
  'vel',
  'wa',
  'zim',
];
const TOWNS = ['Chur', 'Davos', 'Genf', 'Luzern', 'Thun', 'Zug'];

/** The n-th of about 550,000 names; the same in every run. */
function sampleName(n: number): string {
  const last = [1, 15, 225, 3_375].map((divisor) => pick(SYLLABLES, Math.floor(n / divisor))).join('');
  return `${pick(FIRST, n)} ${last.charAt(0).toUpperCase()}${last.slice(1)}`;
}

function pick(words: readonly string[], n: number): string {
  return words[n % words.length] ?? '';
}

/** The n-th Ethereum address, in lower case; the same in every run, and distributed like real ones. */
export function sampleAddress(n: number): string {
  return sampleHash(n).slice(0, 42);
}

/** The n-th transaction hash. */
export function sampleHash(n: number): string {
  return `0x${createHash('sha256').update(String(n)).digest('hex')}`;
}

/** The n-th body of POST /transactions: a message between two natural persons with the usual fields. */
export function sampleBody(n: number, beneficiaryVaspName = 'Far Away Exchange') {
  return {
    asset: 'ETH',
    amount: `${1 + (n % 50_000)}.5`,
    blockchainInfo: { blockchain: 'Ethereum', destination: sampleAddress(n), destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName },
    originator: {
      type: 'NATURAL',
      name: sampleName(n),
      country: 'CH',
      address: `Bahnhofstrasse ${1 + (n % 200)}, ${pick(TOWNS, n)}`,
      dateOfBirth: `${1950 + (n % 50)}-04-12`,
      placeOfBirth: pick(TOWNS, n + 1),
    },
    beneficiary: { type: 'NATURAL', name: sampleName(n * 7 + 3), country: 'DE' },
  };
}
