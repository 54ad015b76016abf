import { z } from 'zod';
import { FORMAT_RULES } from '../addresses/format-rules.ts';
import { knownBlockchains } from '../blockchains.ts';
import { AmlCheck } from './check.ts';
import { CHECK_KINDS, type CheckKind } from './finding.ts';
import { pageFields } from './history.ts';
import { SEVERITIES } from './severity.ts';
import { isEvidentHashOf } from '../transaction-hash.ts';
import { hashOn } from './subject.ts';

export const SearchQuery = z.strictObject({
  q: z
    .string()
    .max(256)
    .describe('A complete wallet address or transaction hash, with or without its blockchain.'),
  ...pageFields,
});

const SearchItem = z.strictObject({
  type: z.enum(CHECK_KINDS),
  blockchain: z.string().describe('A blockchain on which such an address or hash is possible.'),
  value: z.string().describe('The value to send to the analysis.'),
  entity: AmlCheck.shape.entity.describe('The entity of the last check.'),
  lastCheck: z
    .strictObject({
      id: z.uuid(),
      riskScore: z.number().nullable(),
      riskSeverity: z.enum(SEVERITIES).nullable(),
      fetchedAt: z.iso.datetime(),
    })
    .nullable()
    .describe("The tenant's own latest check."),
});
export type SearchItem = z.infer<typeof SearchItem>;

export const SearchResults = z
  .strictObject({ items: z.array(SearchItem), total: z.int() })
  .meta({ id: 'AmlSearchResults' });

/** A possible reading of a search text: a wallet or a transaction on one blockchain. */
export interface ChainCandidate {
  type: CheckKind;
  blockchain: string;
  value: string;
}

/** All possible readings of a text, by the address and hash formats of the chains. Test networks come last. */
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
