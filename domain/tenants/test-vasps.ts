import { foldName } from '../fold.ts';

/** What a test VASP does with messages. */
export type TestBehaviour =
  'CONFIRMS' | 'DECLINES' | 'SILENT' | 'REPAIRS' | 'LATE' | 'MISMATCHES' | 'SENDS' | 'FORGES';

/** A test counterparty, present in every sandbox. */
export interface TestVasp {
  name: string;
  behaviour: TestBehaviour;
  /** A destination that leads to it, on any EVM chain, where the message names no VASP. In normal form. */
  address: string;
}

/** An address without a known private key: its digits count up. */
const address = (number: number) => `0x7e57${String(number).padStart(36, '0')}`;

const SILENT: TestVasp = { name: 'Silent Test VASP', behaviour: 'SILENT', address: address(3) };

export const TEST_VASPS: readonly TestVasp[] = [
  { name: 'Confirming Test VASP', behaviour: 'CONFIRMS', address: address(1) },
  { name: 'Declining Test VASP', behaviour: 'DECLINES', address: address(2) },
  SILENT,
  { name: 'Repairing Test VASP', behaviour: 'REPAIRS', address: address(4) },
  { name: 'Late Test VASP', behaviour: 'LATE', address: address(5) },
  { name: 'Mismatching Test VASP', behaviour: 'MISMATCHES', address: address(6) },
  { name: 'Sending Test VASP', behaviour: 'SENDS', address: address(7) },
  { name: 'Forging Test VASP', behaviour: 'FORGES', address: address(8) },
];

/** Where the sending test VASP sends coins of a message that has no origin. */
export const INBOUND_ADDRESS = address(100);

/** The test VASP of a name, ignoring case, accents and spaces; without a name the silent one. */
export function testVaspNamed(name: string | undefined): TestVasp | undefined {
  if (name === undefined) return SILENT;
  return TEST_VASPS.find((vasp) => foldName(vasp.name) === foldName(name));
}

/** The test VASP to which a destination in normal form leads. */
export function testVaspAt(destinationNormal: string): TestVasp | undefined {
  return TEST_VASPS.find((vasp) => vasp.address === destinationNormal);
}
