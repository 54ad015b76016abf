import { z } from 'zod';
import { parseAmount } from '../decimal.ts';
import { DIRECTIONS } from '../direction.ts';
import { PartyInput } from '../parties/party.ts';
import { MISSING_FIELDS } from '../rules/missing-fields.ts';
import { Address, Asset, Blockchain, Tag, clearable, shown, text } from '../schema-fields.ts';
import { CLAIM_FAILURE_CODES, CLAIM_STATUSES } from './state.ts';

const RequestedField = z.enum(MISSING_FIELDS).meta({ id: 'RequestedField' });

/** The body of `POST /claims`. */
export const CreateClaimBody = z
  .strictObject({
    asset: Asset,
    blockchainInfo: z.strictObject({
      blockchain: Blockchain,
      transactionHash: text(256),
      origin: Address.optional(),
      originTag: Tag.optional(),
      destination: Address,
      destinationTag: Tag.optional(),
    }),
    vaspInfo: z
      .strictObject({
        originatorVaspName: text(200).optional(),
        originatorVaspEmail: z.email().max(254).optional(),
      })
      .optional(),
    beneficiary: z.strictObject({ name: text(200) }).optional(),
    requestedFields: z
      .array(RequestedField)
      .min(1)
      .max(MISSING_FIELDS.length)
      .refine((given) => new Set(given).size === given.length, 'Each value may be given once.')
      .optional(),
  })
  .meta({ id: 'CreateClaim' });
export type CreateClaimBody = z.output<typeof CreateClaimBody>;

/** The body of `POST /transactions/{id}/claim`: what the record of the transfer does not say. */
export const ClaimTransactionBody = CreateClaimBody.pick({
  vaspInfo: true,
  beneficiary: true,
  requestedFields: true,
}).meta({ id: 'ClaimTransaction' });
export type ClaimTransactionBody = z.output<typeof ClaimTransactionBody>;

/** The body of `PATCH /claims/{id}`. */
export const PatchClaimBody = z
  .strictObject({
    status: z.enum(CLAIM_STATUSES).optional(),
    statusReasoning: clearable(text(2_000)),
  })
  .meta({ id: 'PatchClaim' });
export type PatchClaimBody = z.output<typeof PatchClaimBody>;

const Amount = z.union([z.number(), z.string()]).transform((given, context): string => {
  const parsed = parseAmount(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

/** The data of a transfer, as an answer gives it. */
const CLAIMED_DATA = {
  amount: Amount.optional(),
  originator: PartyInput.optional(),
  beneficiary: PartyInput.optional(),
  additionalOriginators: z.array(PartyInput).max(5).optional(),
};

/** The body of `POST /claims/{id}/answer`: an OUTGOING transaction that there is, or the data of one that is made. */
export const AnswerClaimBody = z
  .strictObject({ transactionId: z.uuid().toLowerCase().optional(), ...CLAIMED_DATA })
  .check(({ value, issues }) => {
    if (issues.length > 0) return;
    const { transactionId, ...data } = value;
    const isGiven = Object.values(data).some((field) => field !== undefined);
    if (transactionId !== undefined && isGiven)
      issues.push(bodyFault(['transactionId'], 'given_twice', 'Give a transaction or party data, not both.'));
    else if (transactionId === undefined && value.originator === undefined)
      issues.push(
        bodyFault(['originator'], 'required', 'Give the data of the originator, or a `transactionId`.'),
      );
  })
  .meta({ id: 'AnswerClaim' });
export type AnswerClaimBody = z.output<typeof AnswerClaimBody>;

/** The answer of a VASP outside of this deployment, whose transactions are not known here. */
export const ClaimedDataBody = z
  .strictObject({ ...CLAIMED_DATA, originator: PartyInput })
  .meta({ id: 'ClaimedData' });
export type ClaimedDataBody = z.output<typeof ClaimedDataBody>;

function bodyFault(path: string[], code: string, message: string) {
  return { code: 'custom' as const, input: undefined, path, message, params: { code } };
}

/** A claim in responses and webhooks: every field is present, null when it has no value. */
export const TransferClaim = z
  .strictObject({
    id: z.uuid(),
    direction: z.enum(DIRECTIONS),
    status: z.enum(CLAIM_STATUSES),
    statusReasoning: shown,
    failureCode: z.enum(CLAIM_FAILURE_CODES).nullable(),
    asset: z.string(),
    blockchainInfo: z.strictObject({
      blockchain: z.string(),
      transactionHash: z.string(),
      origin: shown,
      originTag: shown,
      destination: z.string(),
      destinationTag: shown,
    }),
    vaspInfo: z.strictObject({
      originatorVaspName: shown,
      originatorVaspEmail: shown,
      originatorVaspEntityId: shown,
      beneficiaryVaspName: shown,
      beneficiaryVaspEntityId: shown,
    }),
    beneficiary: z.strictObject({ name: z.string() }).nullable(),
    transactionId: shown,
    requestedFields: z.array(RequestedField),
    travelRuleMessageSource: shown,
    deadlineAt: z.iso.datetime(),
    remindedAt: z.iso.datetime().nullable(),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Claim' });
export type TransferClaim = z.infer<typeof TransferClaim>;
