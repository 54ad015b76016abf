import { foldName } from '../fold.ts';

/** The response of a test VASP to messages. */
export type TestBehaviour = 'CONFIRMS' | 'DECLINES' | 'SILENT';

/** A test counterparty, present in every sandbox. */
export interface TestVasp {
  name: string;
  behaviour: TestBehaviour;
}

const SILENT: TestVasp = { name: 'Silent Test VASP', behaviour: 'SILENT' };

export const TEST_VASPS: readonly TestVasp[] = [
  { name: 'Confirming Test VASP', behaviour: 'CONFIRMS' },
  { name: 'Declining Test VASP', behaviour: 'DECLINES' },
  SILENT,
];

/** The test VASP of a name, ignoring case, accents and spaces; without a name the silent one. */
export function testVaspNamed(name: string | undefined): TestVasp | undefined {
  if (name === undefined) return SILENT;
  return TEST_VASPS.find((vasp) => foldName(vasp.name) === foldName(name));
}
