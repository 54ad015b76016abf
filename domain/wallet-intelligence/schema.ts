import { z } from 'zod';
import { wholeNumber } from '../list-query.ts';
import { ENTITY_TYPES } from '../entity-types.ts';
import { AGENT_KINDS } from './agentic.ts';
import { CLASSIFICATIONS, SOURCES } from './check.ts';

const share = z.number().min(0).max(1);

const Signal = z
  .strictObject({
    code: z.string(),
    weight: z.number().describe('Log-odds that the signal can add; positive speaks for what is asked.'),
    value: share.describe('How strongly it was noticed.'),
    contribution: z.number().describe('What it added.'),
    evidence: z.array(z.string()).describe('Up to 5 hashes, addresses, own record ids or published places.'),
  })
  .meta({ id: 'WalletSignal' });

const DataWindow = z
  .strictObject({
    transactions: z.int().min(0),
    firstSeen: z.iso.datetime().nullable(),
    lastSeen: z.iso.datetime().nullable(),
    truncated: z.boolean().describe('There is more than was looked at.'),
    providers: z.array(z.enum(['NODE', 'INDEXER'])),
  })
  .meta({ id: 'WalletDataWindow' });

export const WalletCheck = z
  .strictObject({
    id: z.uuid(),
    blockchain: z.string().describe('The name of the chain, whatever word was asked by.'),
    address: z.string(),
    heuristicOnly: z.boolean(),
    classification: z.enum(CLASSIFICATIONS),
    confidence: share,
    source: z.enum(SOURCES).nullable().describe('What decided; null when nothing did.'),
    reason: z.string().nullable().describe('Why the classification is UNKNOWN.'),
    entity: z
      .strictObject({ id: z.string().nullable(), name: z.string(), type: z.enum(ENTITY_TYPES) })
      .nullable()
      .describe('Whom the surest label names.'),
    signals: z.array(Signal).describe('Everything that was found, the deciding source or not.'),
    sources: z.array(
      z.strictObject({
        source: z.enum(SOURCES),
        status: z.enum(['CONSULTED', 'SKIPPED']),
        reason: z.string().nullable().describe('Why it was skipped, or what it lacked.'),
      }),
    ),
    dataWindow: DataWindow.describe('What the answer about behaviour rests on.'),
    agentic: z
      .strictObject({
        detected: z.boolean().nullable().describe('Null: there is too little to tell.'),
        confidence: share,
        kind: z.enum(AGENT_KINDS).nullable(),
        signals: z.array(Signal),
        reason: z.string().nullable().describe('Why `detected` is null.'),
      })
      .describe('Whether a program acts, whoever holds the keys.'),
    engineVersion: z.string(),
    checkedAt: z.iso.datetime(),
  })
  .meta({ id: 'WalletCheck' });
export type WalletCheck = z.infer<typeof WalletCheck>;

const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((text) => text === 'true' || text === '1')
  .default(false);

export const CheckWalletQuery = z.strictObject({
  heuristicOnly: flag.describe('True: only behaviour counts; nothing that is known of the wallet is asked.'),
});

const PAGE_LIMIT = 100;

/** The query of `GET /kyw/history`, which names its page by offset and limit. */
export const CheckHistoryQuery = z
  .strictObject({
    offset: wholeNumber(0).default(0),
    limit: wholeNumber(1).pipe(z.int().max(PAGE_LIMIT)).default(PAGE_LIMIT),
  })
  .transform(({ offset, limit }) => ({ start: offset, end: offset + limit, wantsCount: true }));
