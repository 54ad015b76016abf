import { z } from 'zod';
import { parseAmount } from '../decimal.ts';
import { NEXT_ACTIONS, OUTCOMES, PROOF_DOUBTED, TRANSFER_STOPS } from './clearance.ts';
import { PartyInput, PartyPatch, PartyView } from '../parties/party.ts';
import { proposalShown } from '../proposals/schema.ts';
import { REASON_CODES } from './record.ts';
import { HOLDS, STATUSES, SUB_STATUSES } from './state.ts';
import { ReceivedView } from './received-schema.ts';
import { TransactionWarning } from './warning-schema.ts';
import { DIRECTIONS } from '../direction.ts';
import { Address, Asset, Blockchain, Metadata, Tag, clearable, shown, text } from '../schema-fields.ts';

/** A JSON number stands for its shortest decimal form; amounts of more than 15 digits must be strings. */
const Amount = z.union([z.number(), z.string()]).transform((given, context): string => {
  const parsed = parseAmount(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

const Hash = text(256);
const CustodyType = z.enum(['CUSTODIAL', 'NON_CUSTODIAL']);
const Reasoning = text(2_000);

const vaspFields = {
  beneficiaryVaspName: text(200),
  beneficiaryVaspEmail: z.email().max(254),
  beneficiaryVaspExtraInfo: text(2_000),
  originatorVaspName: text(200),
  originatorVaspEmail: z.email().max(254),
};

export const CreateTransactionBody = z
  .strictObject({
    direction: z.enum(DIRECTIONS).default('OUTGOING'),
    asset: Asset,
    amount: Amount,
    reference: text(128).optional(),
    metadata: Metadata.optional(),
    internalNote: Metadata.optional(),
    blockchainInfo: z.strictObject({
      blockchain: Blockchain.optional(),
      transactionHash: Hash.optional(),
      origin: Address.optional(),
      originTag: Tag.optional(),
      originType: CustodyType.default('CUSTODIAL'),
      destination: Address,
      destinationTag: Tag.optional(),
      destinationType: CustodyType,
    }),
    vaspInfo: z.strictObject(vaspFields).partial().optional(),
    originator: PartyInput.optional(),
    beneficiary: PartyInput.optional(),
    additionalOriginators: z.array(PartyInput).max(5).optional(),
  })
  .meta({ id: 'CreateTransaction' });
export type CreateTransactionBody = z.infer<typeof CreateTransactionBody>;

export const PatchTransactionBody = z
  .strictObject({
    status: z.enum(STATUSES).optional(),
    statusReasoning: clearable(Reasoning),
    statusReasonCode: clearable(z.enum(REASON_CODES)),
    transactionHash: clearable(Hash),
    metadata: clearable(Metadata),
    internalNote: clearable(Metadata),
    blockchainInfo: z
      .strictObject({
        transactionHash: clearable(Hash),
        blockchain: clearable(Blockchain),
        origin: clearable(Address),
      })
      .optional(),
    vaspInfo: z
      .strictObject({
        beneficiaryVaspName: clearable(vaspFields.beneficiaryVaspName),
        beneficiaryVaspEmail: clearable(vaspFields.beneficiaryVaspEmail),
        beneficiaryVaspExtraInfo: clearable(vaspFields.beneficiaryVaspExtraInfo),
        originatorVaspName: clearable(vaspFields.originatorVaspName),
        originatorVaspEmail: clearable(vaspFields.originatorVaspEmail),
      })
      .optional(),
    originator: PartyPatch.nullable().optional(),
    beneficiary: PartyPatch.nullable().optional(),
    additionalOriginators: clearable(z.array(PartyInput).max(5)),
  })
  .meta({ id: 'PatchTransaction' });
export type PatchTransactionBody = z.infer<typeof PatchTransactionBody>;

export const ReviewBody = z
  .strictObject({
    decision: z.enum(['PROCEED', 'BLOCK']),
    reason: Reasoning.describe('Kept with the record; it never leaves the tenant.'),
    version: z
      .int()
      .min(1)
      .max(2_147_483_647)
      .optional()
      .describe(
        'The `version` of the transaction that the reviewer read. If it has changed since, by a screening for example, ' +
          'the review is 409 `conflict` and nothing is decided. Without it the review counts for what is stored now.',
      ),
  })
  .meta({ id: 'Review' });
export type ReviewBody = z.infer<typeof ReviewBody>;

export const ResubmitBody = z
  .strictObject({ reference: text(128).optional().describe("The new transaction's own; none if absent.") })
  .meta({ id: 'Resubmission' });

const FOUND_NAME =
  'As given; of the other side also the name in the directory of the VASP that was found where none was given.';

/** A transaction in responses and webhooks: every field is present, null when it has no value. */
export const Transaction = z
  .strictObject({
    id: z.uuid(),
    status: z.enum(STATUSES),
    subStatus: z
      .enum(SUB_STATUSES)
      .nullable()
      .describe(
        'The detail of the status, derived from the state of the transaction. A block comes first and stays, then a ' +
          'failure, hidden data, a hold, WAITING, SCREENING, routing and AWAITING_*.',
      ),
    statusReasoning: shown,
    statusReasonCode: z.enum(REASON_CODES).nullable(),
    direction: z.enum(DIRECTIONS),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    version: z.int(),
    reference: shown,
    resubmissionOf: shown.describe('The transaction, blocked by a rule, that this one resubmits.'),
    relatedTransactionId: shown.describe(
      "The tenant's other record of the same transfer: the one that it made itself, or the one of the message.",
    ),
    metadata: shown,
    internalNote: shown,
    asset: z.string(),
    amount: z.number().nullable(),
    amountDecimal: shown,
    amountUsd: z.number().nullable(),
    amountEur: z.number().nullable(),
    blockchainInfo: z.strictObject({
      blockchain: shown,
      transactionHash: shown,
      origin: shown,
      originTag: shown,
      originType: CustodyType,
      destination: z.string(),
      destinationTag: shown,
      destinationType: CustodyType,
      isDestinationConfirmed: z.boolean().nullable(),
      destinationWalletId: z.number().nullable(),
    }),
    vaspInfo: z.strictObject({
      beneficiaryVaspName: shown.describe(FOUND_NAME),
      beneficiaryVaspEmail: shown,
      beneficiaryVaspExtraInfo: shown,
      beneficiaryVaspEntityId: shown,
      originatorVaspName: shown.describe(FOUND_NAME),
      originatorVaspEmail: shown,
      originatorVaspEntityId: shown,
    }),
    originator: PartyView.nullable(),
    beneficiary: PartyView.nullable(),
    additionalOriginators: z.array(PartyView),
    received: ReceivedView.nullable(),
    travelRuleMessageSource: shown,
    clearance: z.strictObject({
      outcome: z
        .enum(OUTCOMES)
        .describe(
          'Whether the coins may move. GO only when CONFIRMED without a hold, a block or a due screening; STOP when ' +
            'blocked, DECLINED or CANCELLED; else WAIT.',
        ),
      reasons: z
        .array(
          z.enum([...STATUSES, ...SUB_STATUSES, ...HOLDS, ...Object.values(TRANSFER_STOPS), PROOF_DOUBTED]),
        )
        .describe(
          'The status, the subStatus, and the reason of the hold or of the hold that led to the block. RELATED_HELD, ' +
            'RELATED_BLOCKED: another record of the tenant for the transfer of this own record is held, or was stopped by a ' +
            'reviewer or a rule. PROOF_DOUBTED: there is a proof of the self-hosted wallet, but its warnings bar it from confirming the transfer by itself.',
        ),
      nextAction: z.enum(NEXT_ACTIONS).describe('What this tenant can do next.'),
      deadlineAt: shown.describe(
        'The end of the time that the transaction waits; while WAITING, the end of that wait.',
      ),
    }),
    completeness: z
      .strictObject({ profile: z.literal('EU_TFR'), complete: z.boolean(), missing: z.array(z.string()) })
      .nullable()
      .describe(
        'Completeness of the data that Regulation (EU) 2023/1113 requires; null while personal data is hidden.',
      ),
    warnings: z
      .array(TransactionWarning)
      .describe('In the answer of a POST: what was accepted and is probably a mistake. Empty elsewhere.'),
  })
  .meta({ id: 'Transaction' });
export type Transaction = z.infer<typeof Transaction>;

/** The answer to a review. */
export const ReviewedTransaction = z
  .strictObject({ ...Transaction.shape, ...proposalShown })
  .meta({ id: 'ReviewedTransaction' });
