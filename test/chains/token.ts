// A token in some eighty bytes, written by hand since there is no compiler here: transfer and transferFrom of ERC-20
// without any balances. Everything else reverts, sent coins too.

const TRANSFER_EVENT = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const TRANSFER = 'a9059cbb';
const TRANSFER_FROM = '23b872dd';

/** `:name` marks a place, `@name` pushes it; everything else is hex. */
const RUNTIME = assemble([
  '6000 35 60e0 1c', // selector
  `80 63${TRANSFER} 14`,
  '@transfer 57', // if equal, go there
  `63${TRANSFER_FROM} 14`,
  '@transferFrom 57',
  '6000 6000 fd', // revert
  ':transfer 5b',
  '6024 35 6000 52', // the amount becomes the log's data
  '6004 35', // to
  '33', // from: the caller
  '@emit 56',
  ':transferFrom 5b',
  '6044 35 6000 52',
  '6024 35', // to
  '6004 35', // from
  ':emit 5b',
  `7f${TRANSFER_EVENT} 6020 6000 a3`, // log with three topics
  '6001 6000 52 6020 6000 f3', // return true
]);

/** Data of the transaction that creates the token: copies the code and returns it. */
export const TOKEN_CODE = `0x60${hex(RUNTIME.length / 2, 1)}80600b6000396000f3${RUNTIME}`;

export function transferData(to: string, units: bigint): string {
  return `0x${TRANSFER}${word(to)}${hex(units, 32)}`;
}

export function transferFromData(from: string, to: string, units: bigint): string {
  return `0x${TRANSFER_FROM}${word(from)}${word(to)}${hex(units, 32)}`;
}

function word(address: string): string {
  return address.slice(2).toLowerCase().padStart(64, '0');
}

function hex(value: bigint | number, bytes: number): string {
  return value.toString(16).padStart(bytes * 2, '0');
}

function assemble(lines: readonly string[]): string {
  const parts = lines.flatMap((line) => line.split(' '));
  const places = new Map<string, number>();
  let at = 0;
  for (const part of parts) {
    if (part.startsWith(':')) places.set(part.slice(1), at);
    else at += part.startsWith('@') ? 2 : part.length / 2;
  }
  return parts
    .filter((part) => !part.startsWith(':'))
    .map((part) => (part.startsWith('@') ? `60${hex(places.get(part.slice(1)) ?? 0, 1)}` : part))
    .join('');
}
