import type { SubjectIdentifier } from './equal-identifier.ts';
import type { SubjectParticulars } from './qualifiers.ts';

/** The subject to search for, with one or several names. */
export interface SanctionsQuery extends SubjectParticulars {
  /** NATURAL searches persons only, LEGAL all other subjects; without it all are searched. */
  type?: 'NATURAL' | 'LEGAL';
  /** The name and its aliases, in any script and order. At most 64 are read. */
  names: readonly string[];
  /** Parts of names that may be names of their own: they match only listed names that have no other word. At most 20. */
  segments?: readonly string[];
  /** Parts of names that may be those of persons: they match only listed persons whose given name they have. At most 20. */
  persons?: readonly string[];
  /** Those of the names that may be given names alone: without the listed family name they are for review. */
  givenNames?: readonly string[];
  /** Given names with the family name of the next holder: they match only listed persons who have all of their words. At most 20. */
  couples?: readonly string[];
  /** Persons named in the name of a firm and firms named in that of a person: compared whatever the type. At most 20. */
  introduced?: { persons: readonly string[]; firms: readonly string[] };
  /** Parts of names that may be those of firms, whatever the type: they match only those that have no other word. At most 20. */
  firms?: readonly string[];
  identifiers?: readonly SubjectIdentifier[];
}
