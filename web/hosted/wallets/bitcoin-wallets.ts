import { askWallet, requireAccount, safeIcon, walletFault, type SigningWallet } from './signing-wallet.ts';

/** The interface of sats-connect: Xverse, Leather and others. */
interface SatsConnectProvider {
  request: (
    method: string,
    params?: object,
  ) => Promise<{ result?: unknown; error?: { code?: number; message?: string } }>;
}

/** An entry of `window.btc_providers`; the id is the path of the provider from `window`. */
interface ListedProvider {
  id: string;
  name: string;
  icon?: unknown;
}

/** Unisat, and OKX at `okxwallet.bitcoin`. */
interface UnisatProvider {
  requestAccounts: () => Promise<string[]>;
  signMessage: (text: string, type: 'ecdsa' | 'bip322-simple') => Promise<string>;
}

interface BitcoinWindow {
  btc_providers?: readonly ListedProvider[];
  unisat?: UnisatProvider;
  okxwallet?: { bitcoin?: UnisatProvider };
}

export function findBitcoinWallets(): SigningWallet[] {
  const { btc_providers: listed = [], unisat, okxwallet } = window as Window & BitcoinWindow;
  return [
    ...listed.flatMap((entry) => {
      const provider = providerAt(entry.id);
      return provider ? [satsConnectWallet(entry, provider)] : [];
    }),
    ...(unisat ? [unisatWallet('Unisat', unisat)] : []),
    ...(okxwallet?.bitcoin ? [unisatWallet('OKX Wallet', okxwallet.bitcoin)] : []),
  ];
}

function providerAt(path: string): SatsConnectProvider | undefined {
  let place: unknown = window;
  for (const name of path.split('.')) place = (place as Record<string, unknown> | undefined)?.[name];
  const isProvider = typeof (place as Partial<SatsConnectProvider> | undefined)?.request === 'function';
  return isProvider ? (place as SatsConnectProvider) : undefined;
}

function satsConnectWallet({ name, icon }: ListedProvider, provider: SatsConnectProvider): SigningWallet {
  const ask = async (method: string, params: object) => {
    const { result, error } = await askWallet(async () => await provider.request(method, params));
    if (error) throw walletFault(error);
    return result;
  };
  return {
    name,
    icon: safeIcon(icon),
    async sign(text, address) {
      const accounts = (await ask('getAccounts', { purposes: ['payment', 'ordinals'], message: '' })) as {
        address: string;
      }[];
      const account = requireAccount(
        accounts.map((one) => one.address),
        address,
        normalAddress,
      );
      const protocol = isTaproot(address) ? 'BIP322' : 'ECDSA';
      const signed = (await ask('signMessage', { address: account, message: text, protocol })) as {
        signature: string;
      };
      return signed.signature;
    },
  };
}

function unisatWallet(name: string, provider: UnisatProvider): SigningWallet {
  return {
    name,
    icon: null,
    async sign(text, address) {
      requireAccount(await askWallet(async () => await provider.requestAccounts()), address, normalAddress);
      const type = isTaproot(address) ? 'bip322-simple' : 'ecdsa';
      return await askWallet(async () => await provider.signMessage(text, type));
    },
  };
}

/** The key of a taproot address signs by BIP-322 only. */
function isTaproot(address: string): boolean {
  return /^(?:bc|tb|bcrt)1p/i.test(address);
}

/** Bech32 addresses are the same in capitals; others are not. */
function normalAddress(address: string): string {
  return /^(?:bc|tb|bcrt)1/i.test(address) ? address.toLowerCase() : address;
}
