import english from 'i18n-iso-countries/langs/en.json' with { type: 'json' };
import { searchWords } from './fold.ts';

/** Common names that the ISO list lacks: short and long forms, former names, and parts of a state. */
const OTHER_NAMES: Record<string, string[]> = {
  AE: ['Emirates'],
  BO: ['Bolivia, Plurinational State of', 'Plurinational State of Bolivia'],
  BN: ['Brunei'],
  BQ: ['Caribbean Netherlands', 'Bonaire'],
  CC: ['Cocos Islands', 'Keeling Islands'],
  CD: [
    'DR Congo',
    'DRC',
    'Congo-Kinshasa',
    'Congo, Democratic Republic of the',
    'Congo, The Democratic Republic of the',
  ],
  CG: ['Congo', 'Congo-Brazzaville', 'Congo Republic'],
  CN: ["China, People's Republic of", 'PRC'],
  CV: ['Cabo Verde'],
  DE: ['Federal Republic of Germany'],
  FK: ['Falkland Islands'],
  FM: ['Micronesia', 'Federated States of Micronesia'],
  GB: [
    'Britain',
    'England',
    'Scotland',
    'Wales',
    'Northern Ireland',
    'United Kingdom of Great Britain and Northern Ireland',
  ],
  HK: ['Hong Kong SAR', 'Hong Kong SAR China', 'Hong Kong, China'],
  IE: ['Republic of Ireland', 'Eire'],
  IR: ['Iran, Islamic Republic of'],
  KP: [
    "Korea, Democratic People's Republic of",
    "Democratic People's Republic of Korea",
    'DPRK',
    'Korea, North',
  ],
  KR: ['Korea, South'],
  LA: ['Laos', 'Lao PDR'],
  MD: ['Moldova', 'Republic of Moldova'],
  MF: ['Saint Martin'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  MO: ['Macau', 'Macau SAR', 'Macao SAR', 'Macao SAR China'],
  NL: ['Holland', 'Kingdom of the Netherlands'],
  PS: ['Palestine, State of', 'Palestinian Territory', 'Palestinian Territories'],
  SH: ['Saint Helena, Ascension and Tristan da Cunha'],
  SK: ['Slovak Republic'],
  ST: ['Sao Tome'],
  SX: ['Sint Maarten'],
  SY: ['Syria'],
  SZ: ['Swaziland'],
  TL: ['East Timor'],
  TZ: ['Tanzania, United Republic of'],
  US: ['America'],
  VA: ['Vatican City', 'Vatican City State', 'Vatican', 'Holy See'],
  VE: ['Venezuela, Bolivarian Republic of', 'Bolivarian Republic of Venezuela'],
  VG: ['British Virgin Islands', 'BVI'],
  VI: ['US Virgin Islands', 'U.S. Virgin Islands', 'United States Virgin Islands'],
  VN: ['Viet Nam'],
  XK: ['Republic of Kosovo'],
};

const isoNames: Record<string, string | string[]> = english.countries;
const codeByName = new Map<string, string>();
// Two states have "Congo" in their ISO names. Later entries override earlier ones, so "Congo" is CG, its ISO short name.
for (const names of [isoNames, OTHER_NAMES]) {
  for (const [code, spellings] of Object.entries(names)) {
    for (const spelling of [spellings].flat()) codeByName.set(nameKey(spelling), code);
  }
}

/** The ISO 3166-1 alpha-2 code (upper-case) of a country, given as code in any case or as English name. */
export function countryCode(text: string): string | undefined {
  const code = text.toUpperCase();
  if (/^[A-Z]{2}$/.test(code) && Object.hasOwn(isoNames, code)) return code;
  return codeByName.get(nameKey(text));
}

/** A name for comparison: folded, without "the" and "and", with "st" as "saint". */
function nameKey(name: string): string {
  return searchWords(name)
    .filter((word) => word !== 'the' && word !== 'and')
    .map((word) => (word === 'st' ? 'saint' : word))
    .join(' ');
}
