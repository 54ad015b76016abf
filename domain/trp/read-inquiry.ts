import { findBlockchain } from '../blockchains.ts';
import { parseAmount } from '../decimal.ts';
import type { FieldError } from '../errors.ts';
import { readIvms101 } from '../ivms101/read-ivms101.ts';
import { faultCode, faultText } from '../schema-faults.ts';
import type { Party } from '../parties/party.ts';
import type { NewTransactionBody } from '../transactions/new-transaction.ts';
import { coinTypeOf, tickerOf } from './assets.ts';
import { TransferExtension, type TrpInquiry } from './messages.ts';
import { TRANSFER_EXTENSION } from './protocol.ts';

/** The wallet whose travel address was asked. */
export interface AskedWallet {
  address: string;
  tag: string | null;
  /** A ticker, or `*`. */
  asset: string;
  blockchain: string;
}

export type ReadInquiry =
  | {
      ok: true;
      /** The message as the originator VASP's outgoing one; its destination is the wallet. */
      body: NewTransactionBody;
      /** What the sender says of itself: nothing has proven it. */
      originatorVasp: Party | null;
      /** What it says of the VASP whose wallet is asked. */
      beneficiaryVasp: Party | null;
    }
  | { ok: false; faults: FieldError[] };

/**
 * Reads an inquiry. A transaction has one beneficiary, its parties one account each, and no intermediaries: an inquiry with
 * more is refused, since dropping one would leave it unscreened. `today` is YYYY-MM-DD in UTC.
 */
export function readInquiry(inquiry: TrpInquiry, wallet: AskedWallet, today: string): ReadInquiry {
  const { extension, faults: unread } = extensionOf(inquiry);
  const [transfer, ivms101] = [readTransfer(inquiry, wallet, extension), readIvms101(inquiry.IVMS101, today)];
  const faults = [
    ...unread,
    ...transfer.faults,
    ...(ivms101.ok ? beneficiaryFaults(ivms101.message) : []),
    ...(ivms101.ok ? ivms101.unkept : ivms101.faults).map(inIvms101),
  ];
  if (faults.length > 0 || !ivms101.ok || !transfer.asset || !transfer.amount) return { ok: false, faults };
  const { originator, additionalOriginators, beneficiary, originatingVasp, beneficiaryVasp } =
    ivms101.message;
  return {
    ok: true,
    body: {
      direction: 'OUTGOING',
      asset: transfer.asset,
      amount: transfer.amount,
      blockchainInfo: {
        blockchain: wallet.blockchain,
        ...(extension?.transactionHash && { transactionHash: extension.transactionHash }),
        ...(extension?.origin && { origin: extension.origin }),
        originType: 'CUSTODIAL',
        destination: wallet.address,
        ...(wallet.tag !== null && { destinationTag: wallet.tag }),
        destinationType: 'CUSTODIAL',
      },
      ...(originator && { originator }),
      ...(beneficiary && { beneficiary }),
      additionalOriginators,
    },
    originatorVasp: originatingVasp,
    beneficiaryVasp,
  };
}

function inIvms101(fault: FieldError): FieldError {
  return { ...fault, pointer: `/IVMS101${fault.pointer}` };
}

type TransferExtension = ReturnType<typeof TransferExtension.parse>;

interface ReadExtension {
  extension?: TransferExtension;
  faults: FieldError[];
}

/** The extension, if the inquiry has it. One that cannot be read is refused: without it, a transfer might be read as another. */
function extensionOf(inquiry: TrpInquiry): ReadExtension {
  const given = inquiry.extensions?.[TRANSFER_EXTENSION] ?? undefined;
  if (given === undefined) return { faults: [] };
  const parsed = TransferExtension.safeParse(given, { error: faultText });
  if (parsed.success) return { extension: parsed.data, faults: contradictions(inquiry, parsed.data) };
  const faults = parsed.error.issues.map((issue) => ({
    pointer: [IN_EXTENSION, ...issue.path].join('/'),
    code: faultCode(issue),
    message: issue.message,
  }));
  return { faults };
}

const IN_EXTENSION = `/extensions/${TRANSFER_EXTENSION}`;

/** Where the extension says something else than the protocol's own fields, which other products read. */
function contradictions(inquiry: TrpInquiry, extension: TransferExtension): FieldError[] {
  const faults: FieldError[] = [];
  if (!isSameAsset(inquiry.asset, extension.asset)) faults.push(contradiction('asset'));
  if (!isSameAmount(inquiry.amount, extension.amount)) faults.push(contradiction('amount'));
  return faults;
}

function contradiction(field: 'asset' | 'amount'): FieldError {
  const message = `Says something else than /${field}: give both the same value, or leave the extension out.`;
  return { pointer: `${IN_EXTENSION}/${field}`, code: 'contradiction', message };
}

/** The protocol has no identifier for tokens; a number that is not known here fits any ticker whose number is not known either. */
function isSameAsset({ slip0044, dti }: TrpInquiry['asset'], ticker: string): boolean {
  const named = tickerOf({ slip0044: slip0044 ?? undefined, dti: dti ?? undefined });
  if (named !== undefined) return named.toUpperCase() === ticker.toUpperCase();
  return (slip0044 ?? undefined) === undefined || coinTypeOf(ticker, null) === undefined;
}

/** A number of the protocol has some 16 digits; the text beside it has all. */
function isSameAmount(stated: number | string, exact: string): boolean {
  if (typeof stated === 'number') return Number(exact) === stated;
  const [one, other] = [parseAmount(stated), parseAmount(exact)];
  return one.ok && other.ok && one.value === other.value;
}

interface ReadTransfer {
  asset?: string;
  amount?: string;
  faults: FieldError[];
}

function readTransfer(
  inquiry: TrpInquiry,
  wallet: AskedWallet,
  extension: TransferExtension | undefined,
): ReadTransfer {
  const faults: FieldError[] = [];
  const { slip0044, dti } = inquiry.asset;
  const asset = extension?.asset ?? tickerOf({ slip0044: slip0044 ?? undefined, dti: dti ?? undefined });
  if (asset === undefined || !isAssetOf(wallet, asset))
    faults.push({
      pointer: '/asset',
      code: 'asset_not_supported',
      message: 'The wallet of this travel address does not take this asset.',
    });
  if (!isOnChain(wallet, extension?.blockchain))
    faults.push({
      pointer: `${IN_EXTENSION}/blockchain`,
      code: 'blockchain_not_supported',
      message: 'The wallet of this travel address is on another blockchain.',
    });
  const amount = parseAmount(extension?.amount ?? inquiry.amount);
  if (!amount.ok) faults.push({ pointer: '/amount', code: 'invalid_decimal', message: amount.message });
  return { ...(asset !== undefined && { asset }), ...(amount.ok && { amount: amount.value }), faults };
}

function isAssetOf(wallet: AskedWallet, asset: string): boolean {
  return wallet.asset === '*' || wallet.asset.toUpperCase() === asset.toUpperCase();
}

function isOnChain({ blockchain }: AskedWallet, named: string | null | undefined): boolean {
  if (named === undefined || named === null) return true;
  const nameOf = (text: string) => (findBlockchain(text)?.name ?? text).toLowerCase();
  return nameOf(blockchain) === nameOf(named);
}

function beneficiaryFaults(message: {
  beneficiary: unknown;
  additionalBeneficiaries: unknown[];
}): FieldError[] {
  if (message.additionalBeneficiaries.length === 0) return [];
  return [
    {
      pointer: '/IVMS101/beneficiary',
      code: 'too_many',
      message: 'A transfer has one beneficiary here; send one inquiry for each.',
    },
  ];
}
