import { queryOf } from '../../../domain/sanctions-screening/subject.ts';
import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import { MATCH_THRESHOLD } from '../../../domain/sanctions/thresholds.ts';
import { listEntry } from '../../factories/sanctions.ts';
import { listedCompany, listedPerson } from '../../factories/ways-to-name.ts';

// Ways to write a listed name beside others in one field; each hid the name once.
const PERSON = 'Nicolas Maduro Moros';
const SHORT = 'Barnabas Ravenscrofft';
const FIRM = 'Petrograd General Trading LLC';
const index = buildIndex([listedPerson, listedCompany, listEntry('P2', 'RAVENSCROFFT, Barnabas')]);
const bestOf = (name: string): number => search(index, queryOf({ name }))[0]?.score ?? 0;

const struck = (text: string) => Array.from(text, (letter) => `${letter}\u0336`).join('');
const JOINERS = ['and', 'et', 'y', 'e', 'i', 'o', 'en', 'with', 'mit', 'avec', 'та'];
const BESIDE = ['−', '‒', '∕', '⁄', '؛', '¦', '‖', '∙', '⋅', '・', '➜', '▪', '†', '§', '!'];
const AROUND = ['‹›', '⟨⟩', '⟪⟫', '❝❞', '❨❩', '〘〙', '⦅⦆', '()', '«»'];

test.each([
  ...JOINERS.flatMap((word) => [
    `Anna Keller ${word} ${FIRM}`,
    `${FIRM} ${word} Anna Keller`,
    `Huber Shipping GmbH ${word} ${FIRM}`,
    `Huber Shipping GmbH ${word} ${PERSON}`,
  ]),
  ...['alias', 'formerly', 'c/o', 'on behalf of', 'nominee for', 'represented by'].map(
    (word) => `Peter Miller ${word} ${FIRM} and Anna Keller`,
  ),
  `Peter Miller alias ${PERSON} and Anna Keller`,
  `Peter Miller formerly ${PERSON} and Anna Keller`,
  `Anna Keller for ${PERSON} and Eva Huber`,
  `Anna Keller and ${FIRM}, tax number 1234567`,
  `Anna Keller/UBO ${SHORT}`,
  `Huber AG/UBO ${SHORT}`,
  `Anna Keller/beneficiary ${SHORT}`,
  // The letters а, с and о are Cyrillic.
  `Anna Keller \u0430.k.\u0430. ${PERSON}`,
  `Anna Keller \u0441/\u043e ${PERSON}`,
  `Anna Keller \u0430nd ${PERSON}`,
  `Anna Keller \u0430li\u0430s ${PERSON}`,
  struck(`Anna Keller and ${PERSON}`),
  struck(`Anna Keller a.k.a. ${PERSON}`),
  struck(`Anna Keller - ${PERSON}`),
  ...BESIDE.map((sign) => `Anna Keller ${sign} ${SHORT}`),
  ...AROUND.map((pair) => `Anna Keller ${Array.from(pair).join(SHORT)}`),
  'Barnabas NA Ravenscrofft',
  'NA Barnabas Ravenscrofft',
  'Barnabas null Ravenscrofft',
])('%s is found', (name) => {
  expect(bestOf(name)).toBeGreaterThanOrEqual(MATCH_THRESHOLD);
});

test.each([
  // Words such as "y" join the words of one firm far more often than two firms.
  ['Compañía de Petróleo y Gas Natural SA', 'Gas Natural SA'],
  ['Maquinaria Técnica y Tierras Ltda', 'Tierras Ltda'],
  ['Oil and Gas Ltd', 'Gas Ltd'],
])('%s is not %s', (name, listed) => {
  const others = buildIndex([listEntry('C9', listed, { type: 'organisation' })]);
  const [best] = search(others, queryOf({ name, type: 'LEGAL' }));
  expect(best?.score ?? 0).toBeLessThan(MATCH_THRESHOLD);
});
