import type { Party } from '../parties/party.ts';

/** The versions of the interVASP Messaging Standard: IVMS 101 of 2020 and IVMS 101.2023. */
export const IVMS101_VERSIONS = ['2020', '2023'] as const;
export type Ivms101Version = (typeof IVMS101_VERSIONS)[number];

/** The parties of an IVMS101 payload. A VASP is a party of type LEGAL. */
export interface Ivms101Message {
  originator: Party | null;
  additionalOriginators: Party[];
  beneficiary: Party | null;
  originatingVasp: Party | null;
  beneficiaryVasp: Party | null;
}

/** Persons that a message may have: Waybill keeps an originator with five additional ones, and one beneficiary. */
export const MAX_PERSONS = { originator: 6, beneficiary: 1 } as const;

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
