import { askWallet, requireAccount, type SigningWallet } from './signing-wallet.ts';

interface TronWindow {
  tronLink?: { request: (call: { method: string }) => Promise<{ code?: number } | string | null> };
  tronWeb?: {
    defaultAddress?: { base58?: string | false };
    trx: { signMessageV2: (text: string) => Promise<string> };
  };
}

export function findTronWallets(): SigningWallet[] {
  const { tronLink, tronWeb } = window as Window & TronWindow;
  return tronLink || tronWeb ? [{ name: 'TronLink', icon: null, sign: signByTronLink }] : [];
}

async function signByTronLink(text: string, address: string): Promise<string> {
  const tron = window as Window & TronWindow;
  const answer = await askWallet(
    async () => await tron.tronLink?.request({ method: 'tron_requestAccounts' }),
  );
  const code = typeof answer === 'object' ? answer?.code : undefined;
  if (code !== undefined && code !== 200)
    await askWallet(async () => await Promise.reject(Object.assign(new Error(), { code })));
  const { base58 } = tron.tronWeb?.defaultAddress ?? {};
  requireAccount(base58 ? [base58] : [], address);
  return await askWallet(async () => (await tron.tronWeb?.trx.signMessageV2(text)) ?? '');
}
