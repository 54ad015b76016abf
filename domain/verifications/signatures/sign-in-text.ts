import { getAddress } from 'viem/utils';
import type { Blockchain } from '../../blockchains.ts';

/** The content of a sign-in text. `domain` is host[:port] of the page that asks the wallet to sign. */
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

/** EIP-4361 allows ASCII only, so the signed text is English in every language of the page. */
const STATEMENT = 'I confirm that I control this wallet. This does not move funds.';

/**
 * The text for a wallet to sign: strict EIP-4361 on EVM chains, where wallets recognise it; on other chains CAIP-122,
 * which has the same layout, with the chain's name and whole CAIP-2 id.
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

/** Wallets on all EVM chains expect exactly "Ethereum". */
function accountKind({ addressFormat, name }: Blockchain): string {
  return addressFormat === 'EVM' ? 'Ethereum' : name;
}

function shownAddress({ address, blockchain }: SignInRequest): string {
  return blockchain.addressFormat === 'EVM' ? getAddress(address.toLowerCase()) : address;
}
