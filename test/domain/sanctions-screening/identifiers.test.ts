import type { ListedIdentifier } from '../../../domain/sanctions/list-entry.ts';
import { buildIndex } from '../../../domain/sanctions/sanctions-index.ts';
import { search } from '../../../domain/sanctions/search.ts';
import type { FoundMatch } from '../../../domain/sanctions-screening/found-match.ts';
import { makeNameScreening } from '../../../domain/sanctions-screening/make-screening.ts';
import type { SanctionsSearchBody } from '../../../domain/sanctions-screening/schema.ts';
import { SCREENING_DEFAULTS, type ScreeningSettings } from '../../../domain/sanctions-screening/settings.ts';
import { queryOf } from '../../../domain/sanctions-screening/subject.ts';
import { listEntry } from '../../factories/sanctions.ts';

const id = (kind: ListedIdentifier['kind'], value: string, country?: string): ListedIdentifier => ({
  kind,
  value,
  ...(country !== undefined && { country }),
});
const index = buildIndex([
  listEntry('bank', 'SINA BANK', { type: 'organisation', identifiers: [id('registration', '2904', 'IR')] }),
  listEntry('oil', 'PARS OIL CO.', {
    type: 'organisation',
    identifiers: [id('registration', '638 8123', 'IR'), id('lei', '5299000J2N45DDNE4Y28')],
  }),
  listEntry('ship', 'ORION STAR', { type: 'vessel', identifiers: [id('other', 'FN-123456')] }),
  listEntry('man', 'VASILIEV, Anatoly', { identifiers: [id('passport', 'AB-123 456', 'RU')] }),
  listEntry('woman', 'NOVIKOVA, Olga', {
    names: [
      { text: 'NOVIKOVA, Olga', kind: 'primary' },
      { text: 'Olya', kind: 'weak' },
    ],
    identifiers: [id('tax', '770123456789'), id('other', 'ZX-900800700')],
  }),
]);

function screen(body: SanctionsSearchBody, more: Partial<ScreeningSettings> = {}) {
  const settings = { ...SCREENING_DEFAULTS, ...more };
  const threshold = Math.min(body.threshold ?? settings.reviewThreshold, settings.matchThreshold);
  const matches: FoundMatch[] = search(index, queryOf(body), { threshold }).map((match) => ({
    ...match,
    entryHash: '',
    version: 1,
  }));
  const { sanctioned, ...screening } = makeNameScreening(
    body,
    { matches, lists: [], answeredBy: 'INDEX' },
    () => false,
    {
      id: '',
      now: new Date(),
      askedBy: { kind: 'SYSTEM', id: null },
      settings,
      states: [],
      isReadWhole: true,
    },
  );
  return { sanctioned, found: screening.matches.map(({ listingId }) => listingId), screening };
}

const PASSPORT = { type: 'NATURAL', nationalIdentificator: 'ab123456', nationality: 'RU' } as const;

test.each<[string, SanctionsSearchBody]>([
  ['a short number of a bank', { type: 'NATURAL', name: 'Anna Keller', nationalIdentificator: '2904' }],
  ['a short register number', { type: 'LEGAL', name: 'Huber GmbH', registrationNumber: '2904' }],
  ['a company’s number at a person', { type: 'NATURAL', name: 'Anna Keller', registrationNumber: '6388123' }],
  ['a person’s number at a company', { ...PASSPORT, type: 'LEGAL', name: 'Huber GmbH' }],
  ['another country', { ...PASSPORT, name: 'Anna Keller', nationality: 'DE' }],
  ['another country of issue', { ...PASSPORT, name: 'Anna Keller', identifierCountry: 'DE' }],
  ['a register number at a person', { name: 'Anna Keller', registrationNumber: 'ZX900800700' }],
  ['an LEI at a person', { name: 'Anna Keller', lei: '5299000J2N45DDNE4Y36' }],
  [
    'a passport at a company',
    { name: 'Huber GmbH', nationalIdentificator: 'FN123456', nationalIdentificatorType: 'CCPT' },
  ],
  ['another kind', { ...PASSPORT, name: 'Anna Keller', nationalIdentificatorType: 'TXID' }],
])('%s is no match', (_, body) => {
  expect(screen(body)).toMatchObject({ sanctioned: false, found: [] });
});

test.each<[string, SanctionsSearchBody, string]>([
  ['under another name', { ...PASSPORT, name: 'Wim Other' }, 'man'],
  ['without a country', { type: 'NATURAL', name: 'Wim Other', nationalIdentificator: 'AB 123456' }, 'man'],
  [
    'an LEI, from wherever',
    { type: 'LEGAL', name: 'Huber GmbH', country: 'AT', lei: '5299000J2N45DDNE4Y28' },
    'oil',
  ],
  [
    'of a kind that the list does not say',
    {
      type: 'NATURAL',
      name: 'Wim Other',
      nationalIdentificator: 'ZX900800700',
      nationalIdentificatorType: 'IDCD',
    },
    'woman',
  ],
])('an equal identifier alone is for review, whatever the thresholds: %s', (_, body, found) => {
  for (const thresholds of [{}, { matchThreshold: 0.5 }, { reviewThreshold: 0.99, matchThreshold: 0.99 }]) {
    const { sanctioned, screening, ...rest } = screen(body, thresholds);
    expect({ sanctioned, ...rest }).toEqual({ sanctioned: false, found: [found] });
    expect(screening.matches[0]).toMatchObject({
      riskLevel: 'medium',
      explanation: {
        matchedName: null,
        qualifiers: expect.arrayContaining([
          expect.objectContaining({ kind: 'identifier', outcome: 'equal' }),
        ]),
      },
    });
  }
  expect(screen({ ...body, threshold: 1 }).found).toEqual([found]);
});

test.each<[string, SanctionsSearchBody, string]>([
  ['half of the name', { ...PASSPORT, name: 'Anatol Wasiljew' }, 'man'],
  [
    'a register number and the name',
    { type: 'LEGAL', name: 'Pars Oil', country: 'IR', registrationNumber: '6388123' },
    'oil',
  ],
  [
    'an alias that the list calls weak',
    { type: 'NATURAL', name: 'Olya', nationalIdentificator: '770123456789' },
    'woman',
  ],
])('an equal identifier with a name that is alike is sanctioned: %s', (_, body, found) => {
  const { sanctioned, screening } = screen(body);
  expect(sanctioned).toBe(true);
  expect(screening.matches[0]).toMatchObject({ listingId: found, riskScore: 98 });
});
