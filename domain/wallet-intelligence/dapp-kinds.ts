/** Function selectors of widely used contracts by kind of use (4byte.directory). */
const SELECTORS: Readonly<Record<string, readonly string[]>> = {
  approval: ['0x095ea7b3', '0xd505accf'],
  swap: [
    '0x38ed1739',
    '0x7ff36ab5',
    '0x18cbafe5',
    '0x414bf389',
    '0x5ae401dc',
    '0xac9650d8',
    '0x3593564c',
    '0x24856bc3',
    '0x12aa3caf',
  ],
  nft: ['0xa22cb465', '0x42842e0e', '0xa0712d68', '0x1249c58b'],
  governance: ['0x56781388', '0x5c19a95c', '0x15373e3d'],
  naming: ['0xc47f0027', '0xacf1a841', '0x74694a2b'],
  wrapping: ['0xd0e30db0', '0x2e1a7d4d'],
  staking: ['0xa694fc3a', '0x3d18b912', '0xe9fad8ee'],
  lending: ['0xe8eda9df', '0x617ba037', '0xa415bcad', '0x69328dec'],
};

/** Kinds of use by selector. */
export const DAPP_KINDS: ReadonlyMap<string, string> = new Map(
  Object.entries(SELECTORS).flatMap(([kind, selectors]) =>
    selectors.map((selector) => [selector, kind] as const),
  ),
);
