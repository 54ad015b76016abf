import { z } from 'zod';
import { FORMAT_RULES } from '../addresses/format-rules.ts';
import { knownBlockchains } from '../blockchains.ts';
import { AmlCheck } from './check.ts';
import { CHECK_KINDS, type CheckKind } from './finding.ts';
import { pageFields } from './history.ts';
import { SEVERITIES } from './severity.ts';
import { hashOn, isEvidentHashOf } from './subject.ts';

export const SearchQuery = z.strictObject({
  q: z
    .string()
    .max(256)
    .describe('The address of a wallet or the hash of a transaction, whole, with or without its blockchain.'),
  ...pageFields,
});

const SearchItem = z.strictObject({
  type: z.enum(CHECK_KINDS),
  blockchain: z.string().describe('Where such an address or hash is possible.'),
  value: z.string().describe('As it is to be given to the analysis.'),
  entity: AmlCheck.shape.entity.describe('Of the last check.'),
  lastCheck: z
    .strictObject({
      id: z.uuid(),
      riskScore: z.number().nullable(),
      riskSeverity: z.enum(SEVERITIES).nullable(),
      fetchedAt: z.iso.datetime(),
    })
    .nullable()
    .describe("The tenant's own latest one."),
});
export type SearchItem = z.infer<typeof SearchItem>;

export const SearchResults = z
  .strictObject({ items: z.array(SearchItem), total: z.int() })
  .meta({ id: 'AmlSearchResults' });

/** Something that can be checked. */
export interface ChainCandidate {
  type: CheckKind;
  blockchain: string;
  value: string;
}

/** What a text may be: on every chain that writes its addresses, or whose hashes look, like it. Test networks come last. */
export function candidatesOf(text: string): ChainCandidate[] {
  const chains = knownBlockchains();
  const wallets = chains.flatMap((chain) => {
    const value = FORMAT_RULES[chain.addressFormat].normal(text);
    return value === undefined ? [] : [{ type: 'wallet' as const, blockchain: chain.name, value }];
  });
  const transactions = chains
    .filter((chain) => isEvidentHashOf(chain, text))
    .map((chain) => ({ type: 'transaction' as const, blockchain: chain.name, value: hashOn(chain, text) }));
  return [...wallets, ...transactions];
}
