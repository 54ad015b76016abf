/** How addresses of a chain are written. */
export type AddressFormat =
  | 'EVM'
  | 'BITCOIN'
  | 'BITCOIN_CASH'
  | 'LITECOIN'
  | 'DOGECOIN'
  | 'DASH'
  | 'ZCASH'
  | 'TRON'
  | 'SOLANA'
  | 'XRP'
  | 'STELLAR'
  | 'CARDANO'
  | 'POLKADOT'
  | 'COSMOS'
  | 'TON'
  | 'ALGORAND'
  | 'NEAR'
  | 'MOVE'
  | 'TEZOS'
  | 'HEDERA'
  | 'MONERO';

export interface Blockchain {
  /** The name that callers get to see. */
  readonly name: string;
  readonly aliases: readonly string[];
  /** Chain id by CAIP-2 (chainagnostic.org). */
  readonly caip2: string;
  readonly evmChainId?: number;
  /** Ticker of the coin that pays the fees. */
  readonly nativeAsset: string;
  /** Fraction digits of the native asset. */
  readonly decimals: number;
  readonly addressFormat: AddressFormat;
}

/**
 * The chains that every deployment knows; a deployment may add more. The first one with a native asset is that asset's
 * main chain, so test networks come last.
 */
export const blockchains: readonly Blockchain[] = frozen([
  utxo('Bitcoin', ['BTC', 'Bitcoin Mainnet'], '000000000019d6689c085ae165831e93', coin('BTC', 8, 'BITCOIN')),
  evm('Ethereum', ['ETH', 'Ethereum Mainnet', 'ERC20'], 1, 'ETH'),
  evm('Arbitrum', ['Arbitrum One', 'ARB'], 42161, 'ETH'),
  evm('Base', ['Base Mainnet'], 8453, 'ETH'),
  evm('Optimism', ['OP Mainnet', 'OP'], 10, 'ETH'),
  evm('Polygon', ['Polygon PoS', 'Polygon Mainnet', 'Matic', 'POL'], 137, 'POL'),
  evm('BNB Smart Chain', ['BSC', 'BNB', 'BNB Chain', 'Binance Smart Chain', 'BEP20'], 56, 'BNB'),
  evm('Avalanche C-Chain', ['Avalanche', 'Avalanche C', 'AVAX', 'AVAXC'], 43114, 'AVAX'),
  evm('Linea', ['Linea Mainnet'], 59144, 'ETH'),
  evm('zkSync', ['zkSync Era', 'zkSync Mainnet'], 324, 'ETH'),
  evm('Scroll', [], 534352, 'ETH'),
  evm('Blast', [], 81457, 'ETH'),
  evm('Mantle', ['MNT'], 5000, 'MNT'),
  evm('Gnosis', ['Gnosis Chain', 'xDai'], 100, 'XDAI'),
  evm('Celo', [], 42220, 'CELO'),
  evm('Cronos', ['CRO'], 25, 'CRO'),
  evm('Sonic', [], 146, 'S'),
  evm('Ethereum Classic', ['ETC'], 61, 'ETC'),
  utxo('Litecoin', ['LTC'], '12a765e31ffd4059bada1e25190f6e98', coin('LTC', 8, 'LITECOIN')),
  utxo('Bitcoin Cash', ['BCH'], '000000000000000000651ef99cb9fcbe', coin('BCH', 8, 'BITCOIN_CASH')),
  utxo('Dogecoin', ['DOGE'], '1a91e3dace36e2be3bf030a65679fe82', coin('DOGE', 8, 'DOGECOIN')),
  utxo('Dash', [], '00000ffd590b1485b3caadc19b22e637', coin('DASH', 8, 'DASH')),
  utxo('Zcash', ['ZEC'], '00040fe8ec8471911baa1db1266ea15d', coin('ZEC', 8, 'ZCASH')),
  chain('Tron', ['TRX', 'TRC20'], 'tron:0x2b6653dc', coin('TRX', 6, 'TRON')),
  chain('Solana', ['SOL', 'SPL'], 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', coin('SOL', 9, 'SOLANA')),
  chain('XRP Ledger', ['XRP', 'XRPL', 'Ripple'], 'xrpl:0', coin('XRP', 6, 'XRP')),
  chain('Stellar', ['XLM', 'Stellar Lumens'], 'stellar:pubnet', coin('XLM', 7, 'STELLAR')),
  chain('Cardano', ['ADA'], 'cip34:1-764824073', coin('ADA', 6, 'CARDANO')),
  chain('Polkadot', ['DOT'], 'polkadot:91b171bb158e2d3848fa23a9f1c25182', coin('DOT', 10, 'POLKADOT')),
  chain('Cosmos Hub', ['Cosmos', 'ATOM'], 'cosmos:cosmoshub-4', coin('ATOM', 6, 'COSMOS')),
  chain('TON', ['The Open Network', 'Toncoin'], 'tvm:-239', coin('TON', 9, 'TON')),
  chain('Algorand', ['ALGO'], 'algorand:wGHE2Pwdvd7S12BL5FaOP20EGYesN73k', coin('ALGO', 6, 'ALGORAND')),
  chain('Near', ['NEAR Protocol'], 'near:mainnet', coin('NEAR', 24, 'NEAR')),
  chain('Aptos', ['APT'], 'aptos:1', coin('APT', 8, 'MOVE')),
  chain('Sui', [], 'sui:mainnet', coin('SUI', 9, 'MOVE')),
  chain('Tezos', ['XTZ'], 'tezos:NetXdQprcVkpaWU', coin('XTZ', 6, 'TEZOS')),
  chain('Hedera', ['HBAR', 'Hedera Hashgraph'], 'hedera:mainnet', coin('HBAR', 8, 'HEDERA')),
  chain('Monero', ['XMR'], 'monero:418015bb9ae982a1975da7d79277c270', coin('XMR', 12, 'MONERO')),
  utxo('Bitcoin Testnet', ['Testnet3'], '000000000933ea01ad0ee984209779ba', coin('BTC', 8, 'BITCOIN')),
  evm('Ethereum Sepolia', ['Sepolia'], 11155111, 'ETH'),
  evm('Base Sepolia', [], 84532, 'ETH'),
  evm('Polygon Amoy', ['Amoy'], 80002, 'POL'),
  evm('BNB Smart Chain Testnet', ['BSC Testnet'], 97, 'BNB'),
  chain('Solana Devnet', [], 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', coin('SOL', 9, 'SOLANA')),
]);

interface ChainLookup {
  chains: readonly Blockchain[];
  byWord: ReadonlyMap<string, Blockchain>;
  mainByAsset: ReadonlyMap<string, Blockchain>;
  acceptedNetworks: AcceptedNetworks;
}

const builtIn = lookupOf(blockchains, 'ALL');

/**
 * The chains of this process, set once. They are held here and not passed as arguments, because the schemas of requests
 * look chains up while they parse, where no argument reaches.
 */
const registered: { lookup?: ChainLookup } = {};

/** Whether the name of a main network accepts addresses of that chain's test networks. Production refuses them. */
type AcceptedNetworks = 'ALL' | 'MAIN';

/**
 * Makes the chains of this deployment known by name, once at the start of a process: one with the name of a built-in
 * chain takes its place, the others come after them. No word may mean two chains. Only what every part of the product may
 * know of a chain is kept: no addresses of nodes. Also sets whose addresses are accepted. A repeat with the same arguments
 * changes nothing. Throws Error for others, because stored records carry names and addresses that must go on meaning the
 * same. Returns a function that takes the registration back, for tests that share a process.
 */
export function registerBlockchains(
  own: readonly Blockchain[],
  acceptedNetworks: AcceptedNetworks = 'ALL',
): () => void {
  const lookup = Object.freeze(lookupOf(frozen(withOwnBlockchains(own)), acceptedNetworks));
  if (!registered.lookup) {
    registered.lookup = lookup;
    return () => delete registered.lookup;
  }
  if (!isSameRegistration(lookup, registered.lookup)) {
    throw new Error('other blockchains are registered in this process already');
  }
  return () => undefined;
}

function isSameRegistration(left: ChainLookup, right: ChainLookup): boolean {
  return (
    left.acceptedNetworks === right.acceptedNetworks &&
    JSON.stringify(left.chains) === JSON.stringify(right.chains)
  );
}

/** Whether this process refuses addresses of test networks under the names of main networks. */
export function refusesTestNetworks(): boolean {
  return known().acceptedNetworks === 'MAIN';
}

const TEST_NETWORKS = /\b(?:testnet|sepolia|amoy|devnet)\b/i;

/** Whether a chain is one of the built-in main networks; a deployment's own chains may be anything. */
export function isMainNetwork({ name }: Blockchain): boolean {
  return blockchains.some((entry) => entry.name === name) && !TEST_NETWORKS.test(name);
}

/** The built-in chains with those of a deployment in their places. */
export function withOwnBlockchains(own: readonly Blockchain[]): readonly Blockchain[] {
  const byName = new Map([...blockchains, ...own].map((entry) => [foldChainWord(entry.name), entry]));
  return [...byName.values()];
}

/** Every chain that is known by name: the built-in ones and those of this deployment. */
export function knownBlockchains(): readonly Blockchain[] {
  return known().chains;
}

/** The chain of a name, alias, CAIP-2 id or EVM chain id; case, spaces, hyphens and underscores do not matter. */
export function findBlockchain(text: string): Blockchain | undefined {
  return known().byWord.get(foldChainWord(text));
}

/** The one main chain whose native asset this ticker is (ETH: Ethereum, not its rollups); undefined for tokens. */
export function mainChainOf(asset: string): Blockchain | undefined {
  return known().mainByAsset.get(asset.toUpperCase());
}

/** Everything that a chain is found by. Wallets tell their chain id in hexadecimal, people in decimal. */
export function chainWords({ name, aliases, caip2, evmChainId }: Blockchain): string[] {
  const chainIds = evmChainId === undefined ? [] : [String(evmChainId), `0x${evmChainId.toString(16)}`];
  return [name, ...aliases, caip2, ...chainIds];
}

/** The form in which words for chains are compared. */
export function foldChainWord(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, '');
}

function known(): ChainLookup {
  return registered.lookup ?? builtIn;
}

function frozen(chains: readonly Blockchain[]): readonly Blockchain[] {
  return Object.freeze(
    chains.map(({ name, aliases, caip2, evmChainId, nativeAsset, decimals, addressFormat }) =>
      Object.freeze({
        name,
        aliases: Object.freeze([...aliases]),
        caip2,
        ...(evmChainId !== undefined && { evmChainId }),
        nativeAsset,
        decimals,
        addressFormat,
      }),
    ),
  );
}

function lookupOf(chains: readonly Blockchain[], acceptedNetworks: AcceptedNetworks): ChainLookup {
  return {
    chains,
    byWord: new Map(chains.flatMap((entry) => chainWords(entry).map((word) => [foldChainWord(word), entry]))),
    mainByAsset: new Map(chains.toReversed().map((entry) => [entry.nativeAsset.toUpperCase(), entry])),
    acceptedNetworks,
  };
}

type NativeCoin = Pick<Blockchain, 'nativeAsset' | 'decimals' | 'addressFormat'>;

function coin(nativeAsset: string, decimals: number, addressFormat: AddressFormat): NativeCoin {
  return { nativeAsset, decimals, addressFormat };
}

function chain(name: string, aliases: string[], caip2: string, native: NativeCoin): Blockchain {
  return { name, aliases, caip2, ...native };
}

function evm(name: string, aliases: string[], evmChainId: number, nativeAsset: string): Blockchain {
  return { ...chain(name, aliases, `eip155:${evmChainId}`, coin(nativeAsset, 18, 'EVM')), evmChainId };
}

function utxo(name: string, aliases: string[], genesis: string, native: NativeCoin): Blockchain {
  return chain(name, aliases, `bip122:${genesis}`, native);
}
