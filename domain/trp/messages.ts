import { z } from 'zod';
import { Asset, Blockchain, text } from '../schema-fields.ts';

// Messages of the Travel Rule Protocol 3. Members that are not known are passed over: other versions and products have more.

const WebAddress = z.string().min(1).max(2_000);

/** Members of the extension that only Waybill writes. */
export const TransferExtension = z.looseObject({
  asset: Asset,
  blockchain: Blockchain.nullish(),
  amount: z.string().max(61).describe('The exact amount as decimal text.'),
  transactionHash: text(256).nullish(),
  origin: text(256).nullish(),
});

/** What the originator VASP posts to the travel address. */
export const TrpInquiry = z
  .looseObject({
    asset: z
      .looseObject({
        slip0044: z
          .union([z.int().min(0), z.string().max(20)])
          .nullish()
          .describe('The coin type (SLIP-0044).'),
        dti: z.string().max(20).nullish().describe('The digital token identifier (ISO 24165).'),
      })
      .describe('What is transferred.'),
    amount: z.union([z.number(), z.string().max(61)]).describe('In units of the asset.'),
    callback: WebAddress.describe('Where the resolution is posted.'),
    IVMS101: z.record(z.string(), z.unknown()).describe('An IVMS101 payload of 2020 or 2023.'),
    extensions: z
      .record(z.string(), z.unknown())
      .nullish()
      .describe('Data of extensions by their names; unknown ones are passed over.'),
  })
  .meta({ id: 'TrpInquiry' });
export type TrpInquiry = z.infer<typeof TrpInquiry>;

/**
 * The answer to an inquiry, at once or posted to its callback: exactly one of the members. `version` says that the
 * answer comes later.
 */
export const TrpResolution = z
  .looseObject({
    version: z.string().max(20).nullish(),
    approved: z
      .looseObject({
        address: z.string().min(1).max(256).describe('Where the coins go.'),
        callback: WebAddress.nullish().describe('Where the confirmation is posted.'),
      })
      .nullish()
      .describe('The transfer is accepted.'),
    rejected: z.string().max(2_000).nullish().describe('Why the transfer is refused.'),
  })
  .refine(isOne, { error: 'exactly one of version, approved and rejected is expected' })
  .meta({ id: 'TrpResolution' });
export type TrpResolution = z.infer<typeof TrpResolution>;

/** What the originator VASP posts in the end: the transaction, or that there is none. */
export const TrpConfirmation = z
  .looseObject({
    txid: z.string().min(1).max(256).nullish().describe('The transaction on the blockchain.'),
    canceled: z.string().max(2_000).nullish().describe('Why there is no transaction.'),
  })
  .refine((body) => [body.txid, body.canceled].filter(isGiven).length === 1, {
    error: 'exactly one of txid and canceled is expected',
  })
  .meta({ id: 'TrpConfirmation' });
export type TrpConfirmation = z.infer<typeof TrpConfirmation>;

function isOne({ version, approved, rejected }: Record<string, unknown>): boolean {
  return [version, approved, rejected].filter(isGiven).length === 1;
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

const shown = (about: string) => z.string().optional().describe(about);

export const TrpIdentity = z
  .strictObject({
    name: z.string().describe('The name of the VASP.'),
    lei: shown('Its Legal Entity Identifier.'),
    x509: shown('The certificate that its messages are sent with (PEM).'),
  })
  .meta({ id: 'TrpIdentity' });

export const TrpVersion = z
  .strictObject({
    version: z.string().describe('The version of TRP.'),
    vendor: z.string().describe('The product.'),
  })
  .meta({ id: 'TrpVersion' });

/** The answer to an inquiry whose resolution follows. */
export const TrpTaken = TrpVersion.pick({ version: true }).meta({ id: 'TrpTaken' });

export const TrpExtensions = z
  .strictObject({
    required: z.array(z.string()).describe('Extensions that an inquiry must use.'),
    supported: z.array(z.string()).describe('Extensions that are understood.'),
  })
  .meta({ id: 'TrpExtensions' });
