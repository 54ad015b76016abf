import type { NewLabel } from './label.ts';

/** The label of a token's contract, which says nothing about who holds the keys ("2GT_token", "AirSwap Token"). */
const TOKEN_LABEL = /(?:^|[\s_-])(?:token|ticker|erc-?20|contract)s?$/i;
/** Only a holder can be mistaken for the issuer of its token. */
const HOLDERS: readonly string[] = ['exchange', 'wallet', 'payment_service_provider', 'mining_pool'];
/** Nobody's: the zero address, precompiles and what people burn coins to. */
const BURN = /^0x(?:0{36}[0-9a-f]{4}|0{36}dead|(?:dead){10})$/;

/** Whether a published label may be kept: it neither speaks of a token's contract nor of an address without an owner. */
export function isUsable({ label, type, addressKey }: NewLabel): boolean {
  if (BURN.test(addressKey)) return false;
  return !(HOLDERS.includes(type) && TOKEN_LABEL.test(label));
}
