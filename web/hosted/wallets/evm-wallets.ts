import { askWallet, requireAccount, safeIcon, WalletFault, type SigningWallet } from './signing-wallet.ts';

/** The interface of EIP-1193. */
interface EvmProvider {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>;
}

interface AnnouncedWallet {
  info: { uuid: string; name: string; icon?: unknown };
  provider: EvmProvider;
}

/**
 * Finds wallets that announce themselves by EIP-6963, also later ones, and else the one at `window.ethereum`. Calls `found`
 * with all of them each time.
 */
export function findEvmWallets(found: (wallets: readonly SigningWallet[]) => void): void {
  const announced = new Map<string, SigningWallet>();
  addEventListener('eip6963:announceProvider', (event) => {
    const { info, provider } = (event as CustomEvent<AnnouncedWallet>).detail;
    announced.set(info.uuid, evmWallet(info.name, safeIcon(info.icon), provider));
    found([...announced.values()]);
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  const { ethereum } = window as Window & { ethereum?: EvmProvider };
  if (announced.size === 0 && ethereum) found([evmWallet('', null, ethereum)]);
}

function evmWallet(name: string, icon: string | null, provider: EvmProvider): SigningWallet {
  return { name, icon, sign: async (text, address) => await signPersonally(provider, text, address) };
}

async function signPersonally(provider: EvmProvider, text: string, address: string): Promise<string> {
  const lower = (one: string) => one.toLowerCase();
  const request = async (method: string, params?: readonly unknown[]) =>
    await askWallet(async () => await provider.request(params ? { method, params } : { method }));
  let account: string;
  try {
    account = requireAccount((await request('eth_requestAccounts')) as string[], address, lower);
  } catch (error) {
    if (!(error instanceof WalletFault) || error.kind !== 'WRONG_ACCOUNT') throw error;
    // Once more with the choice of accounts, which a wallet shows only on request.
    await request('wallet_requestPermissions', [{ eth_accounts: {} }]).catch(() => {
      throw error;
    });
    account = requireAccount((await request('eth_accounts')) as string[], address, lower);
  }
  return (await request('personal_sign', [hexOf(text), account])) as string;
}

/** As bytes: a wallet could take a text that looks like hex for something else. */
function hexOf(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
