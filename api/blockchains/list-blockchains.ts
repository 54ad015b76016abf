import { z } from 'zod';
import { canScan } from '../../chains/chains-file.ts';
import { knownBlockchains } from '../../domain/blockchains.ts';
import { defineEndpoint } from '../endpoint.ts';

const Token = z.strictObject({ asset: z.string(), address: z.string(), decimals: z.int() });

const Blockchain = z
  .strictObject({
    name: z.string(),
    aliases: z.array(z.string()),
    caip2: z.string().describe('Chain id by CAIP-2.'),
    evmChainId: z.int().nullable(),
    nativeAsset: z.string(),
    decimals: z.int().describe('Fraction digits of the native asset.'),
    addressFormat: z.string(),
    canScan: z.boolean().describe('True if incoming transfers are detected, which a Satoshi test needs.'),
    tokens: z.array(Token).describe('Tokens whose transfers are detected.'),
  })
  .meta({ id: 'Blockchain' });

export const listBlockchainsEndpoint = defineEndpoint({
  operationId: 'listBlockchains',
  method: 'GET',
  path: '/blockchains',
  auth: 'TENANT',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Wallets',
  summary: 'List the blockchains known by name',
  description:
    'A request can name a blockchain by its name, an alias, the CAIP-2 id or the EVM chain id (decimal, or hexadecimal ' +
    'with 0x); case, spaces, hyphens and underscores do not matter. Unknown names are accepted too: any printable text ' +
    'is then an address.',
  responses: { 200: { description: 'All of them.', schema: z.array(Blockchain) } },
  errors: [],
  async handle(_request, { settings }) {
    const configured = new Map(settings.chains.map((chain) => [chain.name, chain]));
    const body = knownBlockchains().map((chain) => {
      const own = configured.get(chain.name);
      return {
        name: chain.name,
        aliases: chain.aliases,
        caip2: chain.caip2,
        evmChainId: chain.evmChainId ?? null,
        nativeAsset: chain.nativeAsset,
        decimals: chain.decimals,
        addressFormat: chain.addressFormat,
        // The URL of the node is not shown: it may contain a secret.
        canScan: own !== undefined && canScan(own),
        tokens: own?.tokens ?? [],
      };
    });
    return await Promise.resolve({ status: 200, body });
  },
});
