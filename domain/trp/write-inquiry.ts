import type { LostField } from '../ivms101/lost-fields.ts';
import { writeIvms101 } from '../ivms101/write-ivms101.ts';
import type { Party } from '../parties/party.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import { coinTypeOf } from './assets.ts';
import { TRANSFER_EXTENSION } from './protocol.ts';

export interface WrittenInquiry {
  body: Record<string, unknown>;
  /** Fields of the message that the IVMS101 payload does not have as they are. */
  lost: LostField[];
}

interface InquiryInput {
  /** Where the other VASP posts its resolution. */
  callback: string;
  /** The tenant as a legal person. */
  originatingVasp: Party;
}

/**
 * The inquiry of an outgoing message. IVMS101 is written in the version of 2020, which every implementation of TRP reads.
 * An asset without a coin type has no identifier, so that a product that does not know the extension refuses it instead
 * of taking it for another asset. Throws TypeError for a record without an amount.
 */
export function writeInquiry(record: TransactionRecord, input: InquiryInput): WrittenInquiry {
  const { asset, blockchain, amount, transactionHash, origin, personal } = record;
  if (amount === null) throw new TypeError('a message that is sent has an amount');
  const { payload, lost } = writeIvms101(
    {
      originator: personal.originator,
      additionalOriginators: personal.additionalOriginators,
      beneficiary: personal.beneficiary,
      additionalBeneficiaries: [],
      originatingVasp: input.originatingVasp,
      beneficiaryVasp: beneficiaryVaspOf(record),
    },
    '2020',
  );
  const slip0044 = coinTypeOf(asset, blockchain);
  const body = {
    asset: slip0044 === undefined ? {} : { slip0044 },
    amount: Number(amount),
    callback: input.callback,
    IVMS101: payload,
    extensions: {
      [TRANSFER_EXTENSION]: { asset, blockchain, amount, transactionHash, origin },
    },
  };
  return { body, lost };
}

function beneficiaryVaspOf({ personal }: TransactionRecord): Party | null {
  const { beneficiaryVaspName } = personal.vaspInfo;
  return beneficiaryVaspName === null ? null : { type: 'LEGAL', name: beneficiaryVaspName };
}
