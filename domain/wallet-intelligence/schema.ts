import { z } from 'zod';
import { wholeNumber } from '../list-query.ts';
import { ENTITY_TYPES } from '../entity-types.ts';
import { AGENT_KINDS } from './agentic.ts';
import { CLASSIFICATIONS, SOURCES } from './check.ts';

const share = z.number().min(0).max(1);

const Signal = z
  .strictObject({
    code: z.string(),
    weight: z.number().describe('Maximum log-odds of the signal; positive supports the classification.'),
    value: share.describe('Strength of the signal.'),
    contribution: z.number().describe('Log-odds that the signal added.'),
    evidence: z
      .array(z.string())
      .describe('Up to 5 hashes, addresses, ids of own records or published references.'),
  })
  .meta({ id: 'WalletSignal' });

const DataWindow = z
  .strictObject({
    transactions: z.int().min(0),
    firstSeen: z.iso.datetime().nullable(),
    lastSeen: z.iso.datetime().nullable(),
    truncated: z.boolean().describe('Whether the history is longer than the part that was read.'),
    providers: z.array(z.enum(['NODE', 'INDEXER'])),
  })
  .meta({ id: 'WalletDataWindow' });

const ConsultedSource = z
  .strictObject({
    source: z.enum(SOURCES),
    status: z.enum(['CONSULTED', 'SKIPPED']),
    reason: z.string().nullable().describe('Why it was skipped, or what it lacked.'),
  })
  .meta({ id: 'WalletConsultedSource' });

export const WalletCheck = z
  .strictObject({
    id: z.uuid(),
    blockchain: z.string().describe('The name of the blockchain, also if the request used an alias or id.'),
    address: z.string(),
    heuristicOnly: z.boolean(),
    classification: z.enum(CLASSIFICATIONS),
    confidence: share,
    source: z.enum(SOURCES).nullable().describe('The deciding source; null if none was conclusive.'),
    reason: z.string().nullable().describe('Why the classification is UNKNOWN.'),
    entity: z
      .strictObject({
        id: z
          .string()
          .nullable()
          .describe(
            'Its id in the directory (`GET /entities/{id}`), a UUID; null where it is not there. Checks of before this was so ' +
              "have the word of the label's source.",
          ),
        name: z.string(),
        type: z.enum(ENTITY_TYPES),
      })
      .nullable()
      .describe('The entity of the label with the highest confidence.'),
    signals: z.array(Signal).describe('The signals of all sources, deciding or not.'),
    sources: z.array(ConsultedSource),
    dataWindow: DataWindow.describe('The data on which the behaviour was judged.'),
    agentic: z
      .strictObject({
        detected: z.boolean().nullable().describe('Null if there is too little data.'),
        confidence: share,
        kind: z.enum(AGENT_KINDS).nullable(),
        signals: z.array(Signal),
        reason: z.string().nullable().describe('Why `detected` is null.'),
      })
      .describe('Whether a program operates the wallet, whoever holds the keys.'),
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
  heuristicOnly: flag.describe('True: only behaviour counts; own data and labels are not used.'),
});

const PAGE_LIMIT = 100;

/** The query of `GET /kyw/history`, which names its page by offset and limit. */
export const CheckHistoryQuery = z
  .strictObject({
    offset: wholeNumber(0).default(0),
    limit: wholeNumber(1, PAGE_LIMIT).default(PAGE_LIMIT),
  })
  .transform(({ offset, limit }) => ({ start: offset, end: offset + limit, wantsCount: true }));
