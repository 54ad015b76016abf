import type { EntityType } from '../entity-types.ts';

/** Whose keys are held by a company for its customers. */
export const CUSTODIAL_TYPES: readonly EntityType[] = [
  'exchange',
  'bank',
  'investment_management_firm',
  'payment_service_provider',
  'wallet',
];
