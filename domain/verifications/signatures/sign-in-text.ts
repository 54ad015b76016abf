import { getAddress } from 'viem/utils';
import type { Blockchain } from '../../blockchains.ts';

/** What a sign-in text says; dates in UTC, `domain` is host[:port] of the page that asks the wallet. */
export interface SignInRequest {
  domain: string;
  address: string;
  blockchain: Blockchain;
  /** The page without its token: the signed text may be shown to others. */
  uri: string;
  /** At least 8 letters and digits. */
  nonce: string;
  issuedAt: Date;
  expiresAt: Date;
  requestId: string;
}

/** EIP-4361 takes ASCII only, so the signed words stay English whatever the page speaks. */
const STATEMENT = 'I confirm that I control this wallet. This does not move funds.';

/**
 * The text that a wallet is asked to sign: strict EIP-4361 on EVM, where wallets recognise it; the same layout by
 * CAIP-122, with the chain's name and its whole CAIP-2 id, elsewhere.
 */
export function signInText(request: SignInRequest): string {
  const { domain, blockchain, uri, nonce, issuedAt, expiresAt, requestId } = request;
  return [
    `${domain} wants you to sign in with your ${accountKind(blockchain)} account:`,
    shownAddress(request),
    '',
    STATEMENT,
    '',
    `URI: ${uri}`,
    'Version: 1',
    `Chain ID: ${blockchain.evmChainId ?? blockchain.caip2}`,
    `Nonce: ${nonce}`,
    `Issued At: ${issuedAt.toISOString()}`,
    `Expiration Time: ${expiresAt.toISOString()}`,
    `Request ID: ${requestId}`,
  ].join('\n');
}

/** Wallets look for these very words, on every chain of the EVM. */
function accountKind({ addressFormat, name }: Blockchain): string {
  return addressFormat === 'EVM' ? 'Ethereum' : name;
}

function shownAddress({ address, blockchain }: SignInRequest): string {
  return blockchain.addressFormat === 'EVM' ? getAddress(address.toLowerCase()) : address;
}
