import { z } from 'zod';
import { FORMAT_RULES } from '../domain/addresses/format-rules.ts';
import {
  blockchains,
  chainWords,
  foldChainWord,
  withOwnBlockchains,
  type AddressFormat,
  type Blockchain,
} from '../domain/blockchains.ts';
import { assetsOf } from '../domain/transactions/price-assets.ts';

interface ChainKind {
  /** Namespace of its chain ids (CAIP-2). */
  namespace: string;
  /** Possible address formats; a chain that is not built in has the first one. */
  formats: readonly [AddressFormat, ...AddressFormat[]];
  /** Default number of confirmations. */
  confirmations: number;
}

/** Chains by the protocol of their nodes. */
const KINDS: Record<'EVM' | 'BITCOIN' | 'SOLANA' | 'TRON', ChainKind> = {
  EVM: { namespace: 'eip155', formats: ['EVM'], confirmations: 12 },
  BITCOIN: {
    namespace: 'bip122',
    formats: ['BITCOIN', 'LITECOIN', 'BITCOIN_CASH', 'DOGECOIN', 'DASH', 'ZCASH'],
    confirmations: 1,
  },
  SOLANA: { namespace: 'solana', formats: ['SOLANA'], confirmations: 32 },
  TRON: { namespace: 'tron', formats: ['TRON'], confirmations: 19 },
};
const DEFAULT_POLL_MS = 5_000;

const Name = z
  .string()
  .trim()
  .regex(/^[!-~](?:[ -~]{0,62}[!-~])?$/, '1 to 64 printable ASCII characters are expected');
const Ticker = z.string().regex(/^[!-~]{1,32}$/, '1 to 32 printable ASCII characters are expected');
/** Id of the asset in the price source; it becomes part of the request's query. */
const PriceId = z.string().regex(/^[\w.-]{1,100}$/, 'the id of a coin in the price source is expected');
const Decimals = z.int().min(0).max(36);
const HttpUrl = z.url({ protocol: /^https?$/, error: 'an http or https address is expected' });
/** Addresses of nodes, tried in this order. */
const NodeUrls = z
  .union([HttpUrl, z.array(HttpUrl).min(1)], {
    error: 'an http or https address, or a list of them, is expected',
  })
  .transform((urls) => [urls].flat());

const ChainEntry = z.strictObject({
  name: Name,
  aliases: z.array(Name).default([]),
  caip2: z
    .string()
    .regex(/^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/, 'namespace:reference by CAIP-2 is expected'),
  kind: z.enum(['EVM', 'BITCOIN', 'SOLANA', 'TRON']),
  nativeAsset: Ticker,
  decimals: Decimals,
  priceId: PriceId.optional(),
  confirmations: z.int().min(0).max(10_000).optional(),
  rpcUrl: NodeUrls.optional(),
  esploraUrl: NodeUrls.optional(),
  bitcoindUrl: NodeUrls.optional(),
  indexerUrl: HttpUrl.optional(),
  agentRegistry: z
    .string()
    .regex(/^0x[0-9a-f]{40}$/i, 'the address of a contract is expected')
    .optional(),
  pollMs: z.int().min(50).max(3_600_000).default(DEFAULT_POLL_MS),
  tokens: z
    .array(
      z.strictObject({
        asset: Ticker,
        address: z.string(),
        decimals: Decimals,
        priceId: PriceId.optional(),
      }),
    )
    .default([]),
});
type ChainEntry = z.output<typeof ChainEntry>;
const ChainsFile = z.array(ChainEntry, { error: 'a JSON array of chains is expected' });

/** A chain of CHAINS_FILE. Node addresses may hold secrets: they are for the scanner, never for answers or logs. */
export interface ConfiguredChain extends Blockchain {
  readonly kind: ChainEntry['kind'];
  /** Blocks from the one with the transfer to the newest, both counted, that make it final; 0 means the same as 1. */
  readonly confirmations: number;
  /** Addresses of nodes, tried in order; at most one of these lists has any. Without, nothing can be scanned. */
  readonly rpcUrl: readonly string[];
  readonly esploraUrl: readonly string[];
  readonly bitcoindUrl: readonly string[];
  readonly indexerUrl?: string;
  /** The contract of an EVM chain that knows agents by their addresses (ERC-8004). */
  readonly agentRegistry?: string;
  readonly pollMs: number;
  /** The id of the native asset in the price source, unless the built-in one serves. */
  readonly priceId?: string | undefined;
  readonly tokens: readonly {
    asset: string;
    address: string;
    decimals: number;
    priceId?: string | undefined;
  }[];
}

/** One thing wrong with the file, at a JSON Pointer into it; never with a value, which may be a secret. */
interface ChainFault {
  pointer: string;
  message: string;
}
type ReportFault = (pointer: string, message: string) => void;

/** Reads the text of a CHAINS_FILE. Without faults, each chain is as the rest of the system may use it. */
export function readChains(text: string): { chains: ConfiguredChain[]; faults: ChainFault[] } {
  const parsed = ChainsFile.safeParse(jsonOf(text));
  if (!parsed.success) {
    return {
      chains: [],
      faults: parsed.error.issues.map(({ path, message }) => ({
        pointer: path.map((part) => `/${String(part)}`).join(''),
        message,
      })),
    };
  }
  const faults: ChainFault[] = [];
  const chains = parsed.data.map((entry, index) => {
    const report: ReportFault = (pointer, message) =>
      faults.push({ pointer: `/${index}${pointer}`, message });
    checkNodes(entry, report);
    const chain = configuredChain(entry, report);
    checkTokens(chain, report);
    return chain;
  });
  return { chains, faults: [...faults, ...clashes(chains), ...priceClashes(chains)] };
}

/** Whether incoming transfers can be seen: a node of the chain is configured. */
export function canScan({ rpcUrl, esploraUrl, bitcoindUrl }: ConfiguredChain): boolean {
  return rpcUrl.length + esploraUrl.length + bitcoindUrl.length > 0;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Fails the schema with a message of its own.
    return undefined;
  }
}

function checkNodes({ kind, rpcUrl, esploraUrl, bitcoindUrl }: ChainEntry, report: ReportFault): void {
  if (kind === 'BITCOIN') {
    if (rpcUrl) report('/rpcUrl', 'a BITCOIN chain has esploraUrl or bitcoindUrl');
    if (esploraUrl && bitcoindUrl)
      report('/bitcoindUrl', 'either esploraUrl or bitcoindUrl is expected, not both');
    return;
  }
  if (esploraUrl) report('/esploraUrl', 'only a BITCOIN chain has it');
  if (bitcoindUrl) report('/bitcoindUrl', 'only a BITCOIN chain has it');
}

/** The chain under its built-in name, if it has one: stored records carry that name. */
function configuredChain(entry: ChainEntry, report: ReportFault): ConfiguredChain {
  const { indexerUrl, agentRegistry, rpcUrl = [], esploraUrl = [], bitcoindUrl = [], ...rest } = entry;
  const builtIn = blockchains.find(({ name }) => foldChainWord(name) === foldChainWord(entry.name));
  return {
    ...rest,
    ...evmChainId(entry, report),
    ...(indexerUrl !== undefined && { indexerUrl }),
    ...(agentRegistry !== undefined && { agentRegistry }),
    name: builtIn?.name ?? entry.name,
    aliases: withoutRepeats([...(builtIn?.aliases ?? []), ...entry.aliases]),
    addressFormat: addressFormat(entry, builtIn, report),
    confirmations: entry.confirmations ?? KINDS[entry.kind].confirmations,
    rpcUrl,
    esploraUrl,
    bitcoindUrl,
  };
}

function evmChainId({ kind, caip2 }: ChainEntry, report: ReportFault): { evmChainId?: number } {
  const [namespace, reference = ''] = caip2.split(':');
  const expected = KINDS[kind].namespace;
  if (namespace !== expected) {
    report('/caip2', `a chain of kind ${kind} has the namespace ${expected}`);
  } else if (kind === 'EVM') {
    if (/^[1-9]\d{0,14}$/.test(reference)) return { evmChainId: Number(reference) };
    report('/caip2', 'a chain id is expected after eip155:');
  }
  return {};
}

function addressFormat(
  { kind }: ChainEntry,
  builtIn: Blockchain | undefined,
  report: ReportFault,
): AddressFormat {
  const { formats } = KINDS[kind];
  if (!builtIn) return formats[0];
  if (!formats.includes(builtIn.addressFormat)) report('/kind', `${builtIn.name} is no chain of this kind`);
  return builtIn.addressFormat;
}

function checkTokens(
  { tokens, addressFormat: format, nativeAsset }: ConfiguredChain,
  report: ReportFault,
): void {
  const assets = new Set([nativeAsset.toUpperCase()]);
  const addresses = new Set<string>();
  tokens.forEach(({ asset, address }, index) => {
    const { normal, expected } = FORMAT_RULES[format];
    const contract = normal(address);
    if (contract === undefined) report(`/tokens/${index}/address`, `${expected} is expected`);
    else if (addresses.has(contract)) report(`/tokens/${index}/address`, 'is there twice');
    else addresses.add(contract);
    if (assets.has(asset.toUpperCase())) report(`/tokens/${index}/asset`, 'is there twice');
    assets.add(asset.toUpperCase());
  });
}

/** Words that would mean two chains. */
function clashes(chains: readonly ConfiguredChain[]): ChainFault[] {
  const faults: ChainFault[] = [];
  const isOwn = new Set<Blockchain>(chains);
  const owners = new Map<string, string>([['unknown', 'a chain that is not known']]);
  for (const chain of withOwnBlockchains(chains)) {
    if (isOwn.has(chain)) continue;
    for (const word of chainWords(chain)) owners.set(foldChainWord(word), chain.name);
  }
  chains.forEach((chain, index) => {
    const words = withoutRepeats(chainWords(chain));
    for (const word of words) {
      const owner = owners.get(foldChainWord(word));
      if (owner !== undefined)
        faults.push({ pointer: `/${index}${fieldOf(chain, word)}`, message: `already means ${owner}` });
    }
    for (const word of words) owners.set(foldChainWord(word), chain.name);
  });
  return faults;
}

/** Assets that two entries give different ids in the price source: prices are kept by ticker. */
function priceClashes(chains: readonly ConfiguredChain[]): ChainFault[] {
  const ids = new Map<string, string>();
  return chains.flatMap((chain, index) =>
    assetsOf(chain).flatMap(({ asset, priceId }, at) => {
      const known = ids.get(asset.toUpperCase());
      if (priceId === undefined || known === priceId) return [];
      ids.set(asset.toUpperCase(), known ?? priceId);
      const pointer = at === 0 ? `/${index}/priceId` : `/${index}/tokens/${at - 1}/priceId`;
      return known === undefined ? [] : [{ pointer, message: 'the asset has another one already' }];
    }),
  );
}

function fieldOf({ name, aliases }: Blockchain, word: string): string {
  const isWord = (other: string) => foldChainWord(other) === foldChainWord(word);
  if (isWord(name)) return '/name';
  return aliases.some(isWord) ? '/aliases' : '/caip2';
}

function withoutRepeats(words: readonly string[]): string[] {
  return [...new Map(words.map((word) => [foldChainWord(word), word])).values()];
}
