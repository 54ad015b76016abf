/**
 * Initials that are also a suffix: I.I. and I.V. are II and IV, and J.R., S.R. and M.D. have a meaning, too. A longer run such
 * as "M.B.A." is mostly a degree.
 */
const INITIALS_OR_SUFFIX = /(?<![\p{L}\p{M}.])(i\.i|i\.v|j\.r|s\.r|m\.d)\.(?!\p{L}\.)/giu;
/** "José Mª" and "Jose Ma." are José María. "Ma" without a dot is a family name. */
const MARIA = /(?<![\p{L}\p{M}\p{N}])m(?:\.?ª|a\.)(?![\p{L}\p{M}\p{N}])/giu;

/** The name with initials apart that may be a suffix, and with "Mª" written out; undefined if it has neither. */
export function writtenOut(name: string): string | undefined {
  if (!/[.ª]/u.test(name)) return undefined;
  const plain = name
    .replace(INITIALS_OR_SUFFIX, (initials) => initials.replaceAll('.', '. '))
    .replace(MARIA, 'Maria ');
  return plain === name ? undefined : plain;
}
