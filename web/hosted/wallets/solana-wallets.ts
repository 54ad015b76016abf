import { askWallet, requireAccount, type SigningWallet } from './signing-wallet.ts';

/** The interface of Phantom, which Solflare and Backpack have as well. */
interface SolanaProvider {
  publicKey: { toString: () => string } | null;
  connect: () => Promise<unknown>;
  signMessage: (bytes: Uint8Array, display?: 'utf8') => Promise<{ signature: Uint8Array }>;
}

interface SolanaWindow {
  phantom?: { solana?: SolanaProvider };
  solflare?: SolanaProvider;
  backpack?: SolanaProvider;
}

export function findSolanaWallets(): SigningWallet[] {
  const { phantom, solflare, backpack } = window as Window & SolanaWindow;
  const known = { Phantom: phantom?.solana, Solflare: solflare, Backpack: backpack };
  return Object.entries(known).flatMap(([name, provider]) =>
    provider ? [solanaWallet(name, provider)] : [],
  );
}

function solanaWallet(name: string, provider: SolanaProvider): SigningWallet {
  return {
    name,
    icon: null,
    async sign(text, address) {
      await askWallet(async () => await provider.connect());
      requireAccount(provider.publicKey ? [provider.publicKey.toString()] : [], address);
      const bytes = new TextEncoder().encode(text);
      const { signature } = await askWallet(async () => await provider.signMessage(bytes, 'utf8'));
      return btoa(String.fromCharCode(...signature));
    },
  };
}
