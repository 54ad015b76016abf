import { z } from 'zod';
import { parseAmount } from '../decimal.ts';
import { MATCH_LEVELS, SUBJECT_TYPES } from './record.ts';
import { RISK_SEVERITIES, WARNINGS } from './risk.ts';
import { StepAnalysis, StepDocument } from './step-documents.ts';
import { FAILURE_CODES, FLOWS, STEP_KINDS, STEP_STATUSES, VERIFICATION_STATUSES } from './state.ts';
import { clearable, shown, text, Address, Asset, Blockchain, Metadata } from '../schema-fields.ts';

export const FlowName = z.enum(FLOWS);

/** A list of at least one value, each at most once. */
function someOf<T extends z.ZodType>(value: T, max: number) {
  return z
    .array(value)
    .min(1)
    .max(max)
    .refine((given) => new Set(given).size === given.length, 'Each value may be given once.');
}

export const AllowedFlows = someOf(FlowName, FLOWS.length);
export const ExpiresInHours = z.int().min(1).max(100);

/** A string, as base units have more digits than a JSON number; a number stands for its shortest decimal form. */
const SatoshiAmount = z.union([z.string(), z.number()]).transform((given, context): string => {
  const parsed = parseAmount(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

const Reuse = z.strictObject({
  subject: z.strictObject({
    type: z
      .enum(SUBJECT_TYPES)
      .optional()
      .describe('Required unless `minimumMatchLevel` is MEDIUM. Without it HIGH is never reached.'),
    nameHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/, '64 lowercase hex characters are expected')
      .describe(
        "SHA-256 of the owner's full name after NFKC, trimming, lower case and single spaces. Stored keyed, never shown.",
      ),
  }),
  policy: z
    .strictObject({
      minimumMatchLevel: z.enum(MATCH_LEVELS).default('HIGH'),
      maxReuseAgeDays: z.int().min(1).max(3_650).optional(),
      requireBound: z
        .boolean()
        .default(false)
        .describe('Whether a signature with the warning UNBOUND_MESSAGE is no acceptable proof.'),
    })
    .default({ minimumMatchLevel: 'HIGH', requireBound: false }),
});

const AdditionalStep = z.strictObject({ kind: z.enum(STEP_KINDS), autoConfirm: z.boolean().default(false) });

/** The body of `POST /wallet-verification`. */
export const CreateVerificationBody = z
  .strictObject({
    asset: Asset,
    blockchain: Blockchain.describe('Name, alias, CAIP-2 id or EVM chain id.'),
    address: Address,
    metadata: Metadata.optional(),
    allowedFlows: AllowedFlows.optional(),
    origin: text(300).optional().describe('Signed messages must be a sign-in text for this web origin.'),
    redirectUrl: text(2_000).optional().describe('Address to which the hosted page returns.'),
    expiresInHours: ExpiresInHours.optional().describe(
      "1 to 100; the tenant's setting if absent. A satoshi test alone ends after 48 at the latest.",
    ),
    satoshiFlow: z
      .strictObject({ depositAddress: Address, amount: SatoshiAmount.optional() })
      .optional()
      .describe(
        'Required if `allowedFlows` names SATOSHI_TEST; without an amount a random one is used. At most 20 open of one wallet.',
      ),
    reuse: Reuse.optional(),
    additionalSteps: z
      .array(AdditionalStep)
      .max(STEP_KINDS.length)
      .refine(
        (steps) => new Set(steps.map((step) => step.kind)).size === steps.length,
        'Each kind may be requested once.',
      )
      .optional(),
    customerIdentification: text(200).optional(),
  })
  .meta({ id: 'CreateWalletVerification' });
export type CreateVerificationBody = z.output<typeof CreateVerificationBody>;

/** The body of `PATCH /wallet-verification/{id}`. */
export const PatchVerificationBody = z
  .strictObject({
    status: z.enum(VERIFICATION_STATUSES).optional(),
    statusReasoning: clearable(text(2_000)),
    metadata: clearable(Metadata),
  })
  .meta({ id: 'PatchWalletVerification' });
export type PatchVerificationBody = z.output<typeof PatchVerificationBody>;

/** The body of `POST /wallet-verification/{id}/revoke`. */
export const RevokeVerificationBody = z
  .strictObject({ reason: text(2_000) })
  .meta({ id: 'RevokeWalletVerification' });

const SignatureProofBody = z.strictObject({
  verificationFlow: z.literal('SIGNATURE_PROOF'),
  message: z.string().describe('Exactly the text that was signed, not its hash; at most 10 kB.'),
  signature: z.string().describe('The signature returned by the wallet; hex with 0x for EVM wallets.'),
});
const SelfDeclaredBody = z.strictObject({ verificationFlow: z.literal('SELF_DECLARED') });
const SatoshiTestBody = z.strictObject({ verificationFlow: z.literal('SATOSHI_TEST') });
const VisualProofBody = z
  .strictObject({ verificationFlow: z.literal('VISUAL_PROOF') })
  .describe('Only as multipart/form-data with `files`.');

/** The body of `POST /wallet-verification/{id}/verification`; the signature check limits the length of the message. */
export const SubmitProofBody = z
  .discriminatedUnion('verificationFlow', [
    SignatureProofBody,
    SelfDeclaredBody,
    SatoshiTestBody,
    VisualProofBody,
  ])
  .meta({ id: 'SubmitProof' });

const OwnershipDeclaration = z
  .strictObject({
    name: text(200).describe('The name that the owner of the wallet has typed.'),
    statement: text(2_000).describe('The text that the owner has confirmed, in the language of the page.'),
  })
  .meta({ id: 'OwnershipDeclaration' });

/** The body of `POST /wallet/verification/proof`: the owner signs a declaration with a typed name. */
export const SubmitHostedProofBody = z
  .discriminatedUnion('verificationFlow', [
    SignatureProofBody,
    SelfDeclaredBody.extend({
      declaration: OwnershipDeclaration.optional().describe('What the owner confirms, with the typed name.'),
    }),
    SatoshiTestBody,
    VisualProofBody,
  ])
  .meta({ id: 'SubmitHostedProof' });
/** A proof through the API or on the hosted page, whose bodies are a superset. */
export type SubmitProofBody = z.output<typeof SubmitHostedProofBody>;

const Policy = z.strictObject({
  minimumMatchLevel: z.enum(MATCH_LEVELS),
  maxReuseAgeDays: z.int().nullable(),
  requireBound: z.boolean(),
});

/** A verification in responses and webhooks: every field is present, null when it has no value. */
export const WalletVerification = z
  .strictObject({
    id: z.uuid(),
    token: shown.describe(
      'Opens the hosted page; treat it like a password. Null for callers below COMPLIANCE.',
    ),
    url: shown.describe('The hosted page, for the owner of the wallet. Null for callers below COMPLIANCE.'),
    asset: z.string(),
    blockchain: z.string(),
    address: z.string(),
    metadata: shown,
    customerIdentification: shown,
    status: z.enum(VERIFICATION_STATUSES),
    statusReasoning: shown,
    failureCode: z.enum(FAILURE_CODES).nullable(),
    flow: FlowName.nullable(),
    allowedFlows: z.array(FlowName),
    origin: shown,
    redirectUrl: shown,
    message: shown,
    signature: shown,
    declaration: OwnershipDeclaration.nullable().describe(
      'What the owner declared on the hosted page, with the typed name; null without one.',
    ),
    verifiedTransactionHash: shown,
    verifiedAt: z.iso.datetime().nullable(),
    riskScore: z
      .number()
      .describe(
        '0 to 100, high is risky. While a proof is awaited only warnings count; at least 60 when none came in time, at ' +
          'least 80 when it was wrong, declined or revoked.',
      ),
    riskSeverity: z.enum(RISK_SEVERITIES),
    warnings: z.array(z.enum(WARNINGS)),
    satoshiFlow: z.strictObject({
      amount: shown,
      depositAddress: shown,
      deadlineAt: z.iso
        .datetime()
        .nullable()
        .describe(
          'The latest block time of a transfer that counts: 48 hours after `createdAt`, at most `expiresAt`.',
        ),
    }),
    reuse: z
      .strictObject({
        matchLevel: z.enum(MATCH_LEVELS),
        matchedAttributes: z.array(z.string()),
        policy: Policy,
        verifiedAt: z.string().describe('The day of the original proof.'),
      })
      .nullable(),
    additionalSteps: z.array(
      z.strictObject({
        id: z.uuid(),
        kind: z.enum(STEP_KINDS),
        status: z.enum(STEP_STATUSES),
        statusReasoning: shown,
        autoConfirm: z.boolean(),
        documents: z.array(StepDocument),
        metadata: z.record(z.string(), z.unknown()).nullable(),
        analysis: StepAnalysis.nullable(),
        submittedAt: z.iso.datetime().nullable(),
        reviewedAt: z.iso.datetime().nullable(),
      }),
    ),
    version: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'WalletVerification' });
export type WalletVerification = z.infer<typeof WalletVerification>;
