import type { Endpoint } from '../endpoint.ts';
import { addCounterpartyStepEndpoint } from './add-counterparty-step.ts';
import { downloadCounterpartiesEndpoint } from './download-counterparties.ts';
import { getCounterpartyEndpoint } from './get-counterparty.ts';
import { listCounterpartiesEndpoint } from './list-counterparties.ts';
import { patchCounterpartyEndpoint } from './patch-counterparty.ts';

/** Counterparties, in the order of the reference; the report comes before the ids. */
export const counterpartyEndpoints: readonly Endpoint[] = [
  listCounterpartiesEndpoint,
  downloadCounterpartiesEndpoint,
  getCounterpartyEndpoint,
  patchCounterpartyEndpoint,
  addCounterpartyStepEndpoint,
];
