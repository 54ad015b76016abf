import { z } from 'zod';
import type { ListFormat } from './list-format.ts';

/** The lists that this product knows by name, each with the format that its publisher's address has. */
export const KNOWN_LISTS = {
  OFAC_SDN: 'OFAC_XML',
  OFAC_CONS: 'OFAC_XML',
  UN_SC: 'UN_XML',
  EU_FSF: 'EU_XML',
  UK_SL: 'UK_CSV',
  OPENSANCTIONS: 'FTM_JSONL',
} as const satisfies Record<string, ListFormat>;

export type KnownList = keyof typeof KNOWN_LISTS;

/** A list's code: one of the known ones, or one that the operator gives to a list of their own. */
export const ListCode = z
  .string()
  .regex(/^[A-Z0-9][A-Z0-9_]{1,39}$/, '2 to 40 capital letters, digits and underscores are expected.');

export function isKnownList(code: string): code is KnownList {
  return Object.hasOwn(KNOWN_LISTS, code);
}
