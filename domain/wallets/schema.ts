import { z } from 'zod';
import { addressAt, blockchainKey, misspeltBlockchain } from '../normalised-places.ts';
import { Address, Asset, Blockchain, Metadata, Tag, text } from '../schema-fields.ts';
import { WALLET_SOURCES, WALLET_STATUSES, type NewWallet, type WalletRecord } from './wallet.ts';

const HolderName = text(200).describe(
  'The customer whose wallet it is: messages to it say by `beneficiaryMatch` whether they name this customer. Stored encrypted.',
);

export const CreateWalletBody = z
  .strictObject({
    address: Address,
    asset: z.union([z.literal('*'), Asset]).describe('A ticker, or `*` for all assets of the blockchain.'),
    blockchain: Blockchain.describe(
      'A name, alias or chain id; an unknown blockchain is stored by the given name.',
    ),
    tag: Tag.optional().describe('Memo or destination tag; a wallet without one matches any.'),
    metadata: Metadata.optional(),
    holderName: HolderName.optional(),
  })
  .meta({ id: 'CreateWallet' });
export type CreateWalletBody = z.infer<typeof CreateWalletBody>;

/** Something in a request that was accepted and is probably a mistake. */
const WalletWarning = z
  .strictObject({
    code: z
      .enum(['UNKNOWN_BLOCKCHAIN', 'ADDRESS_SANCTIONED'])
      .describe(
        'UNKNOWN_BLOCKCHAIN: the name is not known, and close to one that is. ADDRESS_SANCTIONED: an active sanctions list ' +
          'names the address; the wallet is registered, and transfers with it are held.',
      ),
    pointer: z.string().describe('JSON Pointer to the field of the request.'),
    message: z.string(),
  })
  .meta({ id: 'WalletWarning' });

export const Wallet = z
  .strictObject({
    id: z.int(),
    address: z.string(),
    asset: z.string(),
    blockchain: z.string(),
    tag: z.string().nullable(),
    metadata: z.string().nullable(),
    holderName: z.string().nullable().describe('The customer whose wallet it is, if the tenant said so.'),
    status: z.enum(WALLET_STATUSES),
    source: z
      .enum(WALLET_SOURCES)
      .describe(
        'DETECTED: a message arrived for an address that was not registered. ANSWERED: you answered at `addressQuestionUrl` that it is yours.',
      ),
    version: z.int().describe('Rises with every change; entries of the change feed name it.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    confirmedAt: z.iso.datetime().nullable(),
    warnings: z
      .array(WalletWarning)
      .describe(
        'In the answer of POST /wallets: what was accepted and is probably a mistake, or should be looked at. Empty elsewhere.',
      ),
  })
  .meta({ id: 'Wallet' });
export type Wallet = z.infer<typeof Wallet>;

const NO_CHANGE = 'Give at least one of status, metadata and holderName.';
export const PatchWalletBody = z
  .strictObject({
    status: z
      .enum(WALLET_STATUSES)
      .describe('UNCONFIRMED: no messages are routed by it, and personal data of new messages is hidden.'),
    metadata: Metadata.nullable().describe('Null clears it.'),
    holderName: HolderName.nullable().describe('The customer whose wallet it is; null forgets the name.'),
  })
  .partial()
  .refine((body) => Object.keys(body).length > 0, { error: NO_CHANGE })
  .meta({ id: 'PatchWallet' });

const BULK_LIMIT = 1_000;

/** Wallet ids of a bulk request, without repetitions. */
export const WalletIdList = z
  .array(z.int().min(1))
  .min(1)
  .max(BULK_LIMIT)
  .transform((ids) => [...new Set(ids)])
  .meta({ id: 'WalletIds' });

/** A new wallet. Throws validation_failed at `/address` if it is not an address of the blockchain. */
export function newWallet(body: CreateWalletBody): NewWallet {
  const { address, asset, blockchain, tag = null, metadata = null, holderName = null } = body;
  const addressNormal = addressAt('/address', blockchain, address);
  return {
    address,
    addressNormal,
    tag,
    asset,
    blockchain,
    blockchainKey: blockchainKey(blockchain),
    metadata,
    holderName,
  };
}

export function viewWallet(wallet: WalletRecord): Wallet {
  return {
    id: wallet.id,
    address: wallet.address,
    asset: wallet.asset,
    blockchain: wallet.blockchain,
    tag: wallet.tag,
    metadata: wallet.metadata,
    holderName: wallet.holderName,
    status: wallet.status,
    source: wallet.source,
    version: wallet.version,
    createdAt: wallet.createdAt.toISOString(),
    updatedAt: wallet.updatedAt.toISOString(),
    confirmedAt: wallet.confirmedAt?.toISOString() ?? null,
    warnings: [],
  };
}

/** The wallet in the answer to the request that registered it. `isListed`: an active sanctions list names its address. */
export function viewNewWallet(wallet: WalletRecord, isListed: boolean): Wallet {
  const message = misspeltBlockchain(wallet.blockchain);
  const warnings: Wallet['warnings'] = [
    ...(message === undefined
      ? []
      : [{ code: 'UNKNOWN_BLOCKCHAIN' as const, pointer: '/blockchain', message }]),
    ...(isListed ? [LISTED] : []),
  ];
  return { ...viewWallet(wallet), warnings };
}

const LISTED = {
  code: 'ADDRESS_SANCTIONED',
  pointer: '/address',
  message: 'An active sanctions list names this address. Transfers with it are held.',
} as const;
