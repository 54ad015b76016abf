import { z } from 'zod';
import { parseAmount } from '../decimal.ts';
import { NEXT_ACTIONS, OUTCOMES, PROOF_DOUBTED, SUNRISE_OVERRIDE, TRANSFER_STOPS } from './clearance.ts';
import { PartyInput, PartyPatch, PartyView } from '../parties/party.ts';
import { proposalShown } from '../proposals/schema.ts';
import { ASSETS_DISPOSITIONS, REASON_CODES } from './record.ts';
import { REPAIR_FIELDS } from './repair-request.ts';
import { HOLDS, STATUSES, SUB_STATUSES } from './state.ts';
import { BENEFICIARY_MATCHES } from './beneficiary-match.ts';
import { BENEFICIARY_VASP, ORIGINATOR_VASP, ReceivedView } from './received-schema.ts';
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
  beneficiaryTravelAddress: text(2_000),
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
        beneficiaryTravelAddress: clearable(vaspFields.beneficiaryTravelAddress),
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

/** The body of `POST /transactions/{id}/proceed`. */
export const ProceedBody = z
  .strictObject({ reason: Reasoning.describe('Kept with the record; it never leaves the tenant.') })
  .meta({ id: 'Proceed' });
export type ProceedBody = z.infer<typeof ProceedBody>;

/** The body of `POST /transactions/{id}/assets-disposition`. */
export const DisposeBody = z
  .strictObject({
    assetsDisposition: z
      .enum(ASSETS_DISPOSITIONS)
      .describe('CREDITED to the customer, SUSPENDED, RETURNED to where they came from, or REJECTED.'),
    returnTransactionHash: Hash.optional().describe(
      'The transfer that returned the coins. Required with RETURNED.',
    ),
  })
  .check(({ value, issues }) => {
    const isReturned = value.assetsDisposition === 'RETURNED';
    if (issues.length > 0 || isReturned === (value.returnTransactionHash !== undefined)) return;
    const [code, message] = isReturned
      ? ['required', 'Give the hash of the transfer that returned the coins.']
      : ['not_allowed', 'Only RETURNED has the hash of a transfer.'];
    issues.push({
      code: 'custom',
      input: undefined,
      path: ['returnTransactionHash'],
      message,
      params: { code },
    });
  })
  .meta({ id: 'AssetsDisposition' });
export type DisposeBody = z.infer<typeof DisposeBody>;

export const RepairBody = z
  .strictObject({
    fields: z
      .array(z.enum(REPAIR_FIELDS))
      .min(1)
      .max(REPAIR_FIELDS.length)
      .transform((fields) => [...new Set(fields)])
      .describe('What is asked for, in the words of the rule field `missingFields`.'),
    reason: Reasoning.optional().describe('Why; the originator VASP reads it.'),
  })
  .meta({ id: 'RepairRequest' });

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
      approvedAddress: shown.describe(
        'The address that the beneficiary VASP has approved by TRP where it is not the destination: the transaction is held for a review, and the address is compared with the sanctions lists. Else null.',
      ),
    }),
    vaspInfo: z.strictObject({
      beneficiaryVaspName: shown.describe(FOUND_NAME),
      beneficiaryVaspEmail: shown,
      beneficiaryVaspExtraInfo: shown,
      beneficiaryTravelAddress: shown,
      beneficiaryVaspEntityId: shown,
      originatorVaspName: shown.describe(FOUND_NAME),
      originatorVaspEmail: shown,
      originatorVaspEntityId: shown,
    }),
    originatorVasp: PartyView.nullable().describe(ORIGINATOR_VASP),
    beneficiaryVasp: PartyView.nullable().describe(BENEFICIARY_VASP),
    originator: PartyView.nullable(),
    beneficiary: PartyView.nullable(),
    additionalOriginators: z.array(PartyView),
    requestedFields: z
      .array(z.enum(REPAIR_FIELDS))
      .describe(
        'What the beneficiary VASP asks for and has not been given yet; both sides see it. Empty when nothing is asked for.',
      ),
    requestReason: shown.describe('Why the beneficiary VASP asks for data.'),
    beneficiaryMatch: z
      .enum(BENEFICIARY_MATCHES)
      .nullable()
      .describe(
        'INCOMING only: whether the message names the `holderName` of your destination wallet. MATCH: the same name, in any ' +
          'order or script; CLOSE: spelled nearly like it. Null while either is unknown. The other side never sees it.',
      ),
    received: ReceivedView.nullable(),
    sealed: z
      .boolean()
      .describe(
        'Whether the parties are hidden until the destination wallet is confirmed; else what is null is missing.',
      ),
    travelRuleMessageSource: shown,
    assetsDisposition: z
      .enum(ASSETS_DISPOSITIONS)
      .nullable()
      .describe('What you did with the coins of an INCOMING transfer; null until you say so.'),
    returnTransactionHash: shown.describe('The transfer that returned the coins; only with RETURNED.'),
    sunriseOverride: z
      .strictObject({ at: z.iso.datetime(), reason: z.string() })
      .meta({ id: 'SunriseOverride' })
      .nullable()
      .describe('Your decision that the coins go without an answer; null if there is none.'),
    clearance: z.strictObject({
      outcome: z
        .enum(OUTCOMES)
        .describe(
          'Whether the coins may move. GO only when CONFIRMED without a hold, a block or a due screening; STOP when ' +
            'blocked, DECLINED or CANCELLED; else WAIT.',
        ),
      reasons: z
        .array(
          z.enum([
            ...STATUSES,
            ...SUB_STATUSES,
            ...HOLDS,
            ...Object.values(TRANSFER_STOPS),
            PROOF_DOUBTED,
            SUNRISE_OVERRIDE,
          ]),
        )
        .describe(
          'The status, the subStatus, and the reason of the hold or of the hold that led to the block. RELATED_HELD, ' +
            'RELATED_BLOCKED: another record of the tenant for the transfer of this own record is held, or was stopped by a ' +
            'reviewer or a rule. PROOF_DOUBTED: there is a proof of the self-hosted wallet, but its warnings bar it from confirming the transfer by itself. ' +
            'SUNRISE_OVERRIDE: the tenant decided that the coins go without an answer.',
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
