import { z } from 'zod';
import type { ListFormat } from './list-format.ts';

/** The known lists, with the format in which their publishers offer them. */
export const KNOWN_LISTS = {
  OFAC_SDN: 'OFAC_XML',
  OFAC_CONS: 'OFAC_XML',
  UN_SC: 'UN_XML',
  EU_FSF: 'EU_XML',
  UK_SL: 'UK_CSV',
  OPENSANCTIONS: 'FTM_JSONL',
} as const satisfies Record<string, ListFormat>;

export type KnownList = keyof typeof KNOWN_LISTS;

/** The code of a known list, or of an operator's own list. */
export const ListCode = z
  .string()
  .regex(/^[A-Z0-9][A-Z0-9_]{1,39}$/, '2 to 40 capital letters, digits and underscores are expected.');

export function isKnownList(code: string): code is KnownList {
  return Object.hasOwn(KNOWN_LISTS, code);
}
