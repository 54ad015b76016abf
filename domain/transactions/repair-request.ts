import { MISSING_FIELDS } from '../rules/missing-fields.ts';

type MissingField = (typeof MISSING_FIELDS)[number];
export type RepairField = Exclude<MissingField, 'blockchainInfo.destination'>;

/** The fields that a beneficiary VASP may ask for, in the words of `missingFields`. A destination cannot be changed. */
export const REPAIR_FIELDS = MISSING_FIELDS.filter((field) => field !== 'blockchainInfo.destination');

/** What the beneficiary VASP asks for; both records of the message have it. */
export interface RepairRequest {
  requestedAt: string;
  /** The fields that are still to be given. */
  fields: RepairField[];
  /** Free text for the originator VASP. */
  reason: string | null;
}
