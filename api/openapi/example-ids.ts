/**
 * The ids that examples name. They belong to no record: a caller puts its own in their place, and so does the test that
 * plays the examples.
 */
export const EXAMPLE_IDS = {
  tenant: '01a200b0-1c3a-7a10-8f21-5d3c9e0b7a01',
  apiKey: '01a200b0-1c3a-7a11-9c42-1f6a2b8d4e02',
  partner: '01a200b0-1c3a-7a13-8e64-7c5d1b9f3e18',
  partnerKey: '01a200b0-1c3a-7a14-9f75-8d6e2c0a4f19',
  user: '01a200b0-1c3a-7a12-8d53-4b7e9c2f6a17',
  attestation: '01a200b0-2d4b-7b20-8a33-7e1d0c5f9b03',
  transaction: '01a200b8-c377-7c01-b5d4-0a9e3f7c2d04',
  claim: '01a200b8-d488-7d12-86e5-1baf408d3e20',
  wallet: 17,
  walletImport: '01a200b9-0e11-7c12-9d05-6b2f8a4c1e05',
  verification: '01a200ba-77d2-7d03-a1f6-4c8b0e2d9f06',
  file: '01a200bb-1a23-7d14-8e27-9f5d3b7a0c07',
  fileToken: 'q7Zk2vXw9Lr4Tn8Bs6Yc1Md3Hp5Jf0Ga',
  reportToken: 'h4Kd8sVq2Nc7Wt5Rb9Xf3Lm6Pz1Gj0Ya',
  month: '2026-10',
  screening: '01a200bc-5b34-7e05-93b8-2d7f1c9a6e08',
  suppression: '01a200bc-6c45-7e16-a4c9-8b0e5f3d7a09',
  ruleConfiguration: '01a200bd-3e56-7f07-85da-1a6c9e4b2d10',
  backtest: '01a200be-9f67-7018-96eb-5e3d7b0f8c11',
  entity: '01a200bf-0a78-7129-a7fc-3c9f1e5d6b12',
  masterEntity: '01a200bf-1b89-713a-880d-7d2b4f8e0a13',
  walletCheck: '01a200c0-2c9a-724b-991e-0e7a6c3f5d14',
  amlCheck: '01a200c1-3dab-735c-aa2f-9b4e8d1c7f15',
  delivery: '01a200c2-4ebc-746d-8b30-6f0d2a9b3e16',
  proposal: '01a200c3-5fcd-757e-9c41-7a1e3b0c4f18',
} as const;
