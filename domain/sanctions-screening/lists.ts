/** Details of a list, used where its entries have none of their own. */
export interface ListDetails {
  /** Short name, shown before a match. */
  short: string;
  name: string;
  authority: string;
  /** ISO 3166-1 alpha-2 code of the authority, `EU` for the European Union; none for the United Nations. */
  countries: readonly string[];
  /** Types of sanctions, if they are the same for all entries of the list. */
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

/** Details of the known lists. A change of a text here changes answers, so raise ENGINE_VERSION. */
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

/** The details of a list. An operator's own list has only its code. */
export function detailsOf(code: string): ListDetails {
  const known = Object.hasOwn(LISTS, code) ? LISTS[code] : undefined;
  return known ?? { short: code, name: code, authority: '', countries: [], types: [] };
}
