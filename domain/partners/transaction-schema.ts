import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';
import { text } from '../schema-fields.ts';
import { CreateTransactionBody, PatchTransactionBody, Transaction } from '../transactions/schema.ts';
import { STATUSES } from '../transactions/state.ts';
import { DIRECTIONS } from '../direction.ts';

/** A message that a partner sends for an originator VASP on its network. */
export const PartnerMessageBody = CreateTransactionBody.omit({ metadata: true, internalNote: true })
  .extend({
    direction: z.literal('OUTGOING').default('OUTGOING'),
    vaspInfo: CreateTransactionBody.shape.vaspInfo
      .unwrap()
      .required({ beneficiaryVaspName: true })
      .describe('`beneficiaryVaspName` is the name of a VASP of this deployment.'),
  })
  .meta({ id: 'PartnerMessage' });
export type PartnerMessageBody = z.output<typeof PartnerMessageBody>;

const { status, statusReasoning, statusReasonCode, transactionHash, ...patch } = PatchTransactionBody.shape;
const { originator, beneficiary, additionalOriginators } = patch;

export const PatchPartnerTransactionBody = z
  .strictObject({
    destinationConfirmed: z
      .literal(true)
      .optional()
      .describe('The destination belongs to a VASP on the network: the personal data becomes readable.'),
    status,
    statusReasoning,
    statusReasonCode,
    transactionHash,
    originator,
    beneficiary,
    additionalOriginators,
  })
  .refine((body) => Object.keys(body).length > 0, { error: 'Give at least one field.' })
  .meta({ id: 'PatchPartnerTransaction' });
export type PatchPartnerTransactionBody = z.output<typeof PatchPartnerTransactionBody>;

const { blockchainInfo, vaspInfo } = Transaction.shape;

/** A transaction as a partner sees it: without anything that belongs to the tenant on the other side. */
export const PartnerTransaction = Transaction.pick({
  id: true,
  status: true,
  statusReasoning: true,
  statusReasonCode: true,
  direction: true,
  createdAt: true,
  updatedAt: true,
  version: true,
  reference: true,
  asset: true,
  amount: true,
  amountDecimal: true,
  originator: true,
  beneficiary: true,
  additionalOriginators: true,
  requestedFields: true,
  requestReason: true,
})
  .extend({
    direction: z.enum(DIRECTIONS).describe('INCOMING: sent to the partner. OUTGOING: sent by it.'),
    reference: text(128).nullable().describe('The id that the partner gave to its own message.'),
    blockchainInfo: blockchainInfo.omit({
      destinationWalletId: true,
      isDestinationConfirmed: true,
      approvedAddress: true,
    }),
    vaspInfo: vaspInfo.omit({ beneficiaryVaspEntityId: true, originatorVaspEntityId: true }),
    sealed: z
      .boolean()
      .describe(
        'Whether the personal data is hidden until the partner confirms that the destination belongs to its network.',
      ),
  })
  .meta({ id: 'PartnerTransaction' });
export type PartnerTransaction = z.output<typeof PartnerTransaction>;

/** The query of `GET /partners/me/transactions`. */
export const ListPartnerTransactionsQuery = listQuery({
  sortable: ['createdAt', 'updatedAt'],
  filters: {
    _from: Timestamp,
    _to: Timestamp,
    _updatedFrom: Timestamp,
    _status: oneOrMore(z.enum(STATUSES)),
    _direction: z.enum(DIRECTIONS),
    _reference: z.string().max(128),
    _transactionHash: z.string().max(256),
  },
});
