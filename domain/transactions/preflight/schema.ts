import { z } from 'zod';
import { NOT_ASKED } from '../../aml/not-asked.ts';
import { FIELD_NAMES } from '../../rules/fields.ts';
import { FLOWS } from '../../verifications/state.ts';
import { SKIPPED_NETWORKS } from '../lifecycle/route.ts';
import { Transaction } from '../schema.ts';
import { TransactionWarning } from '../warning-schema.ts';

const ROUTES = [
  'NATIVE',
  'PARTNER',
  'TRP',
  'EMAIL',
  'NOT_REACHABLE',
  'NOT_FOUND',
  'ADDRESS_DISPUTED',
  'NONE',
] as const;
export type Route = (typeof ROUTES)[number];

const LIST_STATES = ['SEARCHED', 'MISSING', 'LOADING'] as const;
export type ListState = (typeof LIST_STATES)[number];

const text = z.string().nullable();
const flows = z.array(z.enum(FLOWS));

const PreflightRoute = z
  .strictObject({
    outcome: z
      .enum(ROUTES)
      .describe(
        'NATIVE: a tenant of this deployment would get the message; PARTNER: a partner of the network; TRP: the VASP of a travel address; EMAIL: its mailbox would get a link. NOT_REACHABLE: that tenant is suspended. NOT_FOUND: ' +
          'nobody is found by name or destination. ADDRESS_DISPUTED: the destination is registered by a tenant, and labels ' +
          'give it to another institution. NONE: a transfer to or from a self-hosted wallet, or an INCOMING one, is not sent.',
      ),
    vasp: z
      .strictObject({
        entityId: z.uuid().describe('Its entity in the directory.'),
        name: z.string(),
        inNetwork: z.boolean().describe('Whether it is a tenant of this deployment.'),
        policy: z.enum(['ALLOW', 'REVIEW', 'BLOCK']).describe("The tenant's own policy."),
      })
      .nullable()
      .describe(
        'The VASP that the request names, if the directory knows it. A destination names nobody here.',
      ),
    skipped: z
      .array(z.enum(SKIPPED_NETWORKS))
      .describe(
        'The networks before that of `outcome`, or all where there is none, each with the reason why it does not reach the ' +
          'VASP, as in `data.skipped` of the events. docs/networks.md has the words.',
      ),
  })
  .meta({ id: 'PreflightRoute' });

const PreflightProof = z
  .strictObject({
    required: z.boolean().describe('Whether the transfer would wait for a proof of the self-hosted wallet.'),
    verificationId: z.uuid().nullable().describe('The proof that would confirm it.'),
    need: text.describe('Why a proof is needed, as in `data.need` of the event OWNERSHIP_UNCONFIRMED.'),
    lack: text.describe('Why no proof that is there is enough, as in `data.lack`.'),
    flows: flows.describe('The flows of a new verification that would be accepted.'),
  })
  .meta({ id: 'PreflightProof' });

const PreflightScreening = z
  .strictObject({
    lists: z
      .enum(LIST_STATES)
      .describe('Without SEARCHED nothing is known of matches, and nothing is decided.'),
    nameMatch: z.boolean().nullable().describe('Null when it is not known.'),
    addressMatch: z.boolean().nullable().describe('Null when it is not known.'),
    subjects: z
      .array(
        z.strictObject({
          role: z.string().describe('`originator`, `destination`, …'),
          sanctioned: z.boolean().nullable().describe('Null for a name without a letter or digit.'),
          totalMatches: z.int().describe('Matches from the threshold for reviews on.'),
        }),
      )
      .describe('Each name and address of the transfer.'),
    aml: z
      .enum(['KNOWN', 'TO_BE_ASKED', ...NOT_ASKED])
      .describe(
        'KNOWN: own data, or an answer of the provider that would serve again. TO_BE_ASKED: the provider would be asked, which ' +
          'this request does not do; its facts are missing here. Else why it would not be asked.',
      ),
    amlRiskScore: z.number().nullable(),
    walletClassification: z.enum(['CUSTODIAL', 'NON_CUSTODIAL', 'UNKNOWN']).nullable(),
  })
  .meta({ id: 'PreflightScreening' });

const PreflightDecision = z
  .strictObject({
    outcome: z
      .enum(['PROCEED', 'WAIT', 'REVIEW', 'BLOCK'])
      .describe('The decision, the strictest of rules and policy.'),
    decidedBy: z.enum(['RULE', 'DEFAULT', 'UNDECIDED', 'COUNTERPARTY']),
    ruleId: z.uuid().nullable(),
    reason: text.describe('The reason of the deciding rule.'),
    rulesVersion: z.int().describe('The version of the published rules; 0 before the first.'),
    waitMinutes: z.int().nullable().describe('Set with WAIT.'),
    missingFacts: z
      .array(z.enum(FIELD_NAMES))
      .describe(
        'Facts that rules ask for and that are not known now; with them the decision may be another.',
      ),
  })
  .meta({ id: 'PreflightDecision' });

/** What a transfer would meet, in responses. */
export const PreflightAnswer = z
  .strictObject({
    blockchain: text.describe('The blockchain, also where it follows from the asset.'),
    amountUsd: z.number().nullable().describe('The value now; null without a price.'),
    amountEur: z.number().nullable().describe('The value now; null without a price.'),
    completeness: Transaction.shape.completeness,
    missingFields: z
      .array(
        z.strictObject({
          anyOf: z.array(z.array(z.string())).describe('Groups of JSON Pointers: all fields of one of them.'),
        }),
      )
      .describe(
        'What `completeness` lacks, for a form: for each entry all fields of one of its groups, as JSON Pointers into the request.',
      ),
    route: PreflightRoute.describe('Where the message would go.'),
    proof: PreflightProof.nullable().describe('Null unless the other wallet is self-hosted.'),
    screening: PreflightScreening.describe('What lists and own data say.'),
    decision: PreflightDecision.nullable().describe(
      'Null where neither rules nor a policy decide, or lists are missing.',
    ),
    clearance: Transaction.shape.clearance
      .omit({ deadlineAt: true })
      .describe(
        'As the transaction would show it after its first steps; matches and holds are not lifted by asking again.',
      ),
    warnings: z
      .array(TransactionWarning)
      .describe(
        'What is probably a mistake, as a create request would answer it, but for DUPLICATE_TRANSFER: the transfer is not looked for.',
      ),
  })
  .meta({ id: 'Preflight' });
export type PreflightAnswer = z.infer<typeof PreflightAnswer>;
