import type { Blockchain } from '../../blockchains.ts';
import { NATIVE, watchableAsset, type ScanChain } from '../../chain-scan/scan-chain.ts';
import { toUnits } from './amount.ts';

interface RequestedPayment {
  blockchain: Pick<Blockchain, 'addressFormat' | 'evmChainId'>;
  chain: ScanChain;
  asset: string;
  /** A canonical decimal. */
  amount: string;
  depositAddress: string;
}

/**
 * The transfer as a URI that wallets open or read from a QR code: BIP-21 on Bitcoin, EIP-681 on EVM chains. Null where the
 * chain has no such form.
 */
export function paymentUri(payment: RequestedPayment): string | null {
  const { blockchain, chain, amount, depositAddress } = payment;
  const asset = watchableAsset(chain, payment.asset);
  if (asset === undefined) return null;
  if (blockchain.addressFormat === 'BITCOIN') return `bitcoin:${depositAddress}?amount=${amount}`;
  if (blockchain.addressFormat !== 'EVM' || blockchain.evmChainId === undefined) return null;
  const units = toUnits(amount, asset.decimals);
  const at = `@${blockchain.evmChainId}`;
  if (asset.key === NATIVE) return `ethereum:${depositAddress}${at}?value=${units}`;
  return `ethereum:${asset.key}${at}/transfer?address=${depositAddress}&uint256=${units}`;
}
