import { normalEvm } from './evm.ts';

const ENTITY = /^((?:0|[1-9]\d{0,18})\.(?:0|[1-9]\d{0,18})\.(?:0|[1-9]\d{0,18}))(?:-([a-z]{5}))?$/;
/** An account number in the form of an EVM address, with zero shard and realm. */
const LONG_ZERO = /^0x0{24}([0-9a-f]{16})$/;
const MAIN_LEDGER = 0;
/** Ids of the main, test and preview networks, on which the checksum depends. */
const LEDGERS = [MAIN_LEDGER, 1, 2];
const P3 = 26 ** 3;
const P5 = 26 ** 5;

/** Normal form of a Hedera account: `0.0.number`, with or without the checksum of HIP-15, or an EVM address. */
export function normalHedera(address: string): string | undefined {
  const [, entity, checksum] = ENTITY.exec(address) ?? [];
  if (entity !== undefined) {
    const isRight =
      checksum === undefined || LEDGERS.some((ledger) => checksumOf(entity, ledger) === checksum);
    return isRight ? entity : undefined;
  }
  const evm = normalEvm(address);
  const number = evm && LONG_ZERO.exec(evm)?.[1];
  return number === undefined ? evm : `0.0.${BigInt(`0x${number}`)}`;
}

/** Whether an account has a checksum, and not that of the main network. */
export function isHederaTest(address: string): boolean {
  const [, entity, checksum] = ENTITY.exec(address) ?? [];
  return entity !== undefined && checksum !== undefined && checksumOf(entity, MAIN_LEDGER) !== checksum;
}

/** The checksum of HIP-15: weighted sums of the digits (10 for a dot) and of the ledger id followed by six zero bytes. */
function checksumOf(entity: string, ledger: number): string {
  const digits = Array.from(entity, (character) => (character === '.' ? 10 : Number(character)));
  const sumOf = (parity: number) =>
    digits.reduce((sum, digit, index) => (index % 2 === parity ? (sum + digit) % 11 : sum), 0);
  const weighted = digits.reduce((sum, digit) => (sum * 31 + digit) % P3, 0);
  const ledgerSum = [ledger, 0, 0, 0, 0, 0, 0].reduce((sum, byte) => (sum * 31 + byte) % P5, 0);
  const mixed = (((digits.length % 5) * 11 + sumOf(0)) * 11 + sumOf(1)) * P3 + weighted + ledgerSum;
  return lettersOf(((mixed % P5) * 1_000_003) % P5);
}

function lettersOf(value: number): string {
  const places = [26 ** 4, P3, 26 ** 2, 26, 1];
  return places.map((place) => String.fromCharCode(97 + (Math.floor(value / place) % 26))).join('');
}
