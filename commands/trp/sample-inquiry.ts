import { writeIvms101 } from '../../domain/ivms101/write-ivms101.ts';
import { TRANSFER_EXTENSION } from '../../domain/trp/protocol.ts';

/** What the self-test sends: nobody's money and nobody's name. */
export const SAMPLE_TRANSFER = {
  asset: 'ETH',
  amount: '0.001',
  originator: {
    type: 'NATURAL',
    firstName: 'Selftest',
    lastName: 'Originator',
    country: 'CH',
    dateOfBirth: '1990-01-01',
    placeOfBirth: 'Bern',
  },
  beneficiary: { type: 'NATURAL', firstName: 'Selftest', lastName: 'Beneficiary' },
} as const;

/** An inquiry whose resolution is to be posted to `callback`. */
export function sampleInquiry(callback: string): unknown {
  const { asset, amount, originator, beneficiary } = SAMPLE_TRANSFER;
  const { payload } = writeIvms101(
    {
      originator,
      additionalOriginators: [],
      beneficiary,
      additionalBeneficiaries: [],
      originatingVasp: { type: 'LEGAL', name: 'Waybill self-test' },
      beneficiaryVasp: null,
    },
    '2020',
  );
  const extensions = { [TRANSFER_EXTENSION]: { asset, blockchain: 'Ethereum', amount } };
  return { asset: { slip0044: 60 }, amount: Number(amount), callback, IVMS101: payload, extensions };
}
