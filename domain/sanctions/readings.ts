import { withoutAdditions } from './additions.ts';
import { withoutSurroundings } from './around-person.ts';
import type { SearchSide } from './candidates.ts';
import { withoutDigits } from './digits.ts';
import { withoutFirmAdditions, withoutFormOfAddress } from './firm-additions.ts';
import { withoutOtherForm } from './other-forms.ts';
import { writtenOut } from './written-out.ts';

/**
 * The names, also without titles, branches, forms of firms and words of accounts, and those of persons without digits, short forms and
 * what is around them.
 */
export function readingsOf(
  names: readonly string[],
  { readAs }: Pick<SearchSide, 'readAs'>,
): ReadonlySet<string> {
  if (readAs !== 'person') {
    const firms = names.flatMap((name) => [name, withoutFirmAdditions(name) ?? name]);
    const plain = firms.flatMap((name) => [name, withoutFormOfAddress(name) ?? name]);
    return new Set(plain.flatMap((name) => [name, withoutOtherForm(name) ?? name]));
  }
  const written = names.flatMap((name) => [name, writtenOut(name) ?? name]);
  const persons = written.flatMap((name) => [name, withoutSurroundings(name) ?? name]);
  const spelled = persons.flatMap((name) => [name, withoutDigits(name) ?? name]);
  return new Set(spelled.flatMap((name) => [name, withoutAdditions(name) ?? name]));
}
