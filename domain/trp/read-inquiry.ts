import { findBlockchain } from '../blockchains.ts';
import { parseAmount } from '../decimal.ts';
import type { FieldError } from '../errors.ts';
import { readIvms101 } from '../ivms101/read-ivms101.ts';
import type { Party } from '../parties/party.ts';
import type { NewTransactionBody } from '../transactions/new-transaction.ts';
import { tickerOf } from './assets.ts';
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
  const extension = extensionOf(inquiry);
  const [transfer, ivms101] = [readTransfer(inquiry, wallet, extension), readIvms101(inquiry.IVMS101, today)];
  const faults = [
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

function extensionOf({ extensions }: TrpInquiry): TransferExtension | undefined {
  const given = extensions?.[TRANSFER_EXTENSION];
  const parsed = TransferExtension.safeParse(given);
  return parsed.success ? parsed.data : undefined;
}

type TransferExtension = ReturnType<typeof TransferExtension.parse>;

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
      pointer: `/extensions/${TRANSFER_EXTENSION}/blockchain`,
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
