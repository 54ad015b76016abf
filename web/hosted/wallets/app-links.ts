/** A wallet's app on a phone that opens this page in its own browser. */
export interface AppLink {
  name: string;
  href: string;
}

/**
 * Links of apps' own schemes, by format of address. An https link of a wallet's maker would hand the page's token to the
 * maker where the app is not installed.
 */
const SCHEMES: Record<string, Record<string, (page: URL) => string>> = {
  EVM: {
    MetaMask: ({ host, pathname, search }) => `metamask://dapp/${host}${pathname}${search}`,
    'Trust Wallet': ({ href }) => `trust://open_url?coin_id=60&url=${encodeURIComponent(href)}`,
    'Coinbase Wallet': ({ href }) => `cbwallet://dapp?url=${encodeURIComponent(href)}`,
    'OKX Wallet': okx,
  },
  BITCOIN: { 'OKX Wallet': okx },
  SOLANA: {
    Phantom: ({ href, origin }) =>
      `phantom://browse/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`,
    Solflare: ({ href, origin }) =>
      `solflare://ul/v1/browse/${encodeURIComponent(href)}?ref=${encodeURIComponent(origin)}`,
    'OKX Wallet': okx,
  },
  TRON: {
    TronLink: ({ href }) =>
      `tronlinkoutside://pull.activity?param=${encodeURIComponent(
        JSON.stringify({ url: href, action: 'open', protocol: 'tronlink', version: '1.0' }),
      )}`,
    'OKX Wallet': okx,
  },
};

function okx({ href }: URL): string {
  return `okx://wallet/dapp/url?dappUrl=${encodeURIComponent(href)}`;
}

/** The apps that can open the page at this address. */
export function appLinks(addressFormat: string | null, page: string): AppLink[] {
  const schemes = SCHEMES[addressFormat ?? ''] ?? {};
  return Object.entries(schemes).map(([name, link]) => ({ name, href: link(new URL(page)) }));
}

/** Whether this is a phone or a tablet: there wallets are apps. */
export function isHandheld(): boolean {
  return matchMedia('(hover: none) and (pointer: coarse)').matches;
}
