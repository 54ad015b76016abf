import type { Party } from '../parties/party.ts';

/** The versions of the interVASP Messaging Standard: IVMS 101 of 2020 and IVMS 101.2023. */
export const IVMS101_VERSIONS = ['2020', '2023'] as const;
export type Ivms101Version = (typeof IVMS101_VERSIONS)[number];

/**
 * The parties of an IVMS101 payload. A VASP is a party of type LEGAL. A transaction has one beneficiary; some networks send
 * the representative of an organisation as an additional one.
 */
export interface Ivms101Message {
  originator: Party | null;
  additionalOriginators: Party[];
  beneficiary: Party | null;
  additionalBeneficiaries: Party[];
  originatingVasp: Party | null;
  beneficiaryVasp: Party | null;
}

/** Originators, and beneficiaries, that a message may have: one, with five additional ones as a transaction has them. */
export const MAX_PERSONS = 6;

/**
 * The text in place of a value that the standard demands and the sender does not have, as in ISO 20022 messages.
 * `XX` is the standard's own text in place of a country.
 */
export const NOT_PROVIDED = 'NOT PROVIDED';
export const UNKNOWN_COUNTRY = 'XX';

/** Whether a text only says that there is none. */
export function saysNotProvided(text: string): boolean {
  return /^not ?provided$/i.test(text);
}
