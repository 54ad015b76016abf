/** What is said of every entry of a list where the entry itself says nothing else. */
export interface ListDetails {
  /** Shown in front of a match. */
  short: string;
  name: string;
  authority: string;
  /** ISO alpha-2 of the authority, `EU` for the Union; the United Nations have none. */
  countries: readonly string[];
  /** What a listing means, where the list says it of all. */
  types: readonly string[];
  /** The publisher's own page of an entry. */
  pageOf?: (sourceId: string) => string;
}

const ofacPage = (sourceId: string): string =>
  `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${encodeURIComponent(sourceId)}`;
const OFAC = {
  authority: 'Office of Foreign Assets Control (OFAC), United States Department of the Treasury',
  countries: ['US'],
  pageOf: ofacPage,
};

/** The lists that publishers offer. A change of a text here changes answers, and so ENGINE_VERSION. */
const LISTS: Readonly<Record<string, ListDetails>> = {
  OFAC_SDN: {
    ...OFAC,
    short: 'OFAC SDN',
    name: 'Specially Designated Nationals and Blocked Persons List',
    types: ['blocking'],
  },
  OFAC_CONS: { ...OFAC, short: 'OFAC Consolidated', name: 'Consolidated Non-SDN List', types: [] },
  UN_SC: {
    short: 'UN Security Council',
    name: 'United Nations Security Council Consolidated List',
    authority: 'United Nations Security Council',
    countries: [],
    types: ['asset freeze'],
  },
  EU_FSF: {
    short: 'EU',
    name: 'Consolidated list of persons, groups and entities subject to EU financial sanctions',
    authority: 'European Union',
    countries: ['EU'],
    types: ['asset freeze'],
  },
  UK_SL: {
    short: 'UK',
    name: 'UK Sanctions List',
    authority: 'Foreign, Commonwealth and Development Office',
    countries: ['GB'],
    types: [],
  },
  OPENSANCTIONS: {
    short: 'OpenSanctions',
    name: 'OpenSanctions',
    authority: '',
    countries: [],
    types: [],
  },
};

/** A list of the operator's own is known by its code alone. */
export function detailsOf(code: string): ListDetails {
  const known = Object.hasOwn(LISTS, code) ? LISTS[code] : undefined;
  return known ?? { short: code, name: code, authority: '', countries: [], types: [] };
}
