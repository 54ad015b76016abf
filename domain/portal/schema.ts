import { z } from 'zod';
import { TransferClaim } from '../claims/schema.ts';
import { PartnerTransaction, PatchPartnerTransactionBody } from '../partners/transaction-schema.ts';
import { PartyInput } from '../parties/party.ts';
import { Transaction } from '../transactions/schema.ts';
import { CODE_MINUTES, LINK_KINDS, LINK_STATES, MAX_CODE_TRIES } from './link.ts';

/** What whoever holds a link sees before the code: nothing of the message or claim. */
export const PortalLinkView = z
  .strictObject({
    state: z
      .enum([...LINK_STATES, 'ENDED', 'ELSEWHERE'])
      .describe(
        'OPEN: a code may be asked for. EXPIRED, LOCKED (too many wrong codes), REPLACED (by a newer link): only a new link may. ' +
          'ENDED: the message was withdrawn before it was opened, or the claim is over. ELSEWHERE: the message goes to its ' +
          'receiver in another way, or to another mailbox, since the directory or the sender has changed that.',
      ),
    kind: z
      .enum(LINK_KINDS)
      .describe('What the link leads to: a message (TRANSACTION), or a question for data (CLAIM).'),
    tenantName: z.string().describe('The VASP that has sent it.'),
    mailbox: z.string().describe('The mailbox that gets codes and new links, shortened.'),
    expiresAt: z.iso.datetime(),
    isNewLinkRefused: z
      .boolean()
      .describe(
        'Of a link that was replaced: whether the mail server has refused the mail with the newer one.',
      ),
    senderEmail: z
      .string()
      .nullable()
      .describe(
        'Where to ask while `isNewLinkRefused`; null otherwise, and where the sender has given none.',
      ),
  })
  .meta({ id: 'PortalLink' });
export type PortalLinkView = z.infer<typeof PortalLinkView>;

export const PortalMailSent = z.strictObject({ message: z.string() }).meta({ id: 'PortalMailSent' });

export const PortalCodeBody = z
  .strictObject({
    code: z
      .string()
      .trim()
      .regex(/^\d{6}$/, 'six digits are expected')
      .describe(`Six digits, for ${CODE_MINUTES} minutes. A link takes ${MAX_CODE_TRIES} wrong ones.`),
  })
  .meta({ id: 'PortalCode' });

export const PortalSession = z
  .strictObject({
    session: z.string().describe('For the header `X-Portal-Session`, beside the token.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'PortalSession' });

const { destinationConfirmed, status, statusReasonCode, statusReasoning } = PatchPartnerTransactionBody.shape;

export const AnswerMessageBody = z
  .strictObject({
    destinationConfirmed: destinationConfirmed.describe(
      'The destination belongs to your customers: the personal data becomes readable.',
    ),
    beneficiary: PartyInput.optional().describe(
      'What you know of the beneficiary. The sender gets what it lacks and sees where you say otherwise; what it says itself stays.',
    ),
    status,
    statusReasonCode,
    statusReasoning,
  })
  .refine((body) => Object.keys(body).length > 0, { error: 'Give at least one field.' })
  .meta({ id: 'PortalAnswer' });
export type AnswerMessageBody = z.infer<typeof AnswerMessageBody>;

/** A message as a VASP on no network sees it. */
export const PortalMessage = PartnerTransaction.omit({ reference: true })
  .extend({
    completeness: Transaction.shape.completeness,
    requestedFields: Transaction.shape.requestedFields,
  })
  .meta({ id: 'PortalMessage' });
export type PortalMessage = z.infer<typeof PortalMessage>;

const { originatorVaspName, beneficiaryVaspName } = TransferClaim.shape.vaspInfo.shape;

/** A claim as a VASP on no network sees it. */
export const PortalClaim = TransferClaim.pick({
  id: true,
  status: true,
  statusReasoning: true,
  asset: true,
  blockchainInfo: true,
  beneficiary: true,
  requestedFields: true,
  deadlineAt: true,
  version: true,
  createdAt: true,
  updatedAt: true,
})
  .extend({
    vaspInfo: z.strictObject({ originatorVaspName, beneficiaryVaspName }),
    amountDecimal: Transaction.shape.amountDecimal,
    isAnsweredHere: z
      .boolean()
      .describe(
        'Whether the answer was given by this mailbox. A claim is ANSWERED by any message of its transfer.',
      ),
  })
  .meta({ id: 'PortalClaim' });
export type PortalClaim = z.infer<typeof PortalClaim>;
