import { countryCode } from '../../../domain/country.ts';
import type { ListEntry, ListedIdentifier } from '../../../domain/sanctions/list-entry.ts';

/** What the free text of an OFAC entry says in its `;`-separated pieces. */
export type OfacRemarks = Pick<
  ListEntry,
  'birthDates' | 'birthPlaces' | 'gender' | 'countries' | 'identifiers' | 'wallets' | 'names'
>;

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const WALLET = /(?:alt\. )?Digital Currency Address - (\S{1,40}) ([^\s;,]{1,300})/gu;
/** Longer pieces are prose. Some patterns below try again at every letter, so their time has to have an end. */
const MOST_PIECE_LETTERS = 1000;
const IDENTIFIER_KINDS: readonly [RegExp, ListedIdentifier['kind']][] = [
  [/^(?:stateless person )?passport (?!issued)/i, 'passport'],
  [
    /^(?:national id|identification number|ssn|cedula|c\.u\.r\.p\.|d\.n\.i\.|nie|personal id|cnp|bosnian personal|kenyan id|numero de identidad|residency number|refugee id|citizen's card|voter id)/i,
    'national',
  ],
  [
    /^(?:tax id|nit|r\.f\.c\.|ruc|rtn|c\.u\.i\.t\.|v\.a\.t\.|vat number|italian fiscal|fiscal code|rif|us fein|d-u-n-s)/i,
    'tax',
  ],
  [
    /^(?:registration|company number|commercial registry|business|registered charity|matricula mercantil|uk company|trade license|chinese commercial|unified social credit|enterprise number|public registration|government gazette|economic register|certificate of incorporation|folio mercantil|license)/i,
    'registration',
  ],
  [/^(?:legal entity number|lei\b)/i, 'lei'],
  [/^(?:vessel registration identification|vessel registration number) imo/i, 'imo'],
  [/^mmsi/i, 'mmsi'],
  [/^swift\/bic/i, 'bic'],
];

/** Reads joined remarks. What it does not know stays in the text: nothing here is required. */
export function readOfacRemarks(text: string): OfacRemarks {
  const found: OfacRemarks = {
    birthDates: [],
    birthPlaces: [],
    countries: [],
    identifiers: [],
    wallets: [],
    names: [],
  };
  for (const wallet of text.matchAll(WALLET)) {
    found.wallets.push({ asset: wallet[1] ?? '', address: (wallet[2] ?? '').replace(/[.,;]+$/, '') });
  }
  for (const piece of text.split(/;\s*/)) readPiece(piece.trim().replace(/\.$/, ''), found);
  found.countries = [...new Set(found.countries)];
  return found;
}

function readPiece(written: string, found: OfacRemarks): void {
  if (written.length > MOST_PIECE_LETTERS) return;
  const piece = written.replace(/^alt\. /i, '');
  const [, label, value] =
    /^(DOB|POB|nationality|citizen|Gender|a\.k\.a\.|f\.k\.a\.)\s+(.+)$/i.exec(piece) ?? [];
  if (label === undefined || value === undefined) {
    addIdentifier(piece, found);
    return;
  }
  switch (label.toLowerCase()) {
    case 'dob':
      found.birthDates.push(...birthDate(value));
      break;
    case 'pob':
      found.birthPlaces.push(value);
      break;
    case 'gender':
      setGender(value, found);
      break;
    case 'nationality':
    case 'citizen':
      addCountry(value, found);
      break;
    default:
      addAlias(value, found);
  }
}

/** The names that stand in the remarks are those that the list calls weak. */
function addAlias(value: string, found: OfacRemarks): void {
  const name = /^['"](.+?)['"]?$/.exec(value)?.[1];
  if (name !== undefined) found.names.push({ text: name, kind: 'weak' });
}

function setGender(value: string, found: OfacRemarks): void {
  const word = value.toLowerCase();
  if (word === 'male' || word === 'female') found.gender = word;
}

function addCountry(value: string, found: OfacRemarks): void {
  const code = countryCode(value);
  if (code !== undefined) found.countries.push(code);
}

/** The kind that a text such as `Tax ID No. 123 (Russia)` begins with. */
export function identifierKind(text: string): ListedIdentifier['kind'] | undefined {
  return IDENTIFIER_KINDS.find(([pattern]) => pattern.test(text))?.[1];
}

function addIdentifier(piece: string, found: OfacRemarks): void {
  const kind = identifierKind(piece);
  if (kind === undefined) return;
  const value = /(?=\S*\d)[\p{L}\p{N}][\p{L}\p{N}./-]{3,}/u.exec(
    piece.replace(/^[A-Za-z.' ]*?(?:No\.|Number|#|ID)\s+/, ''),
  )?.[0];
  if (value === undefined) return;
  const country = countryCode(/\(([^)]+)\)/.exec(piece)?.[1] ?? '');
  found.identifiers.push({ kind, value, ...(country === undefined ? {} : { country }) });
}

/** `12 Mar 1970`, `Mar 1970`, `1970`, `circa 1970`, `1970 to 1975`; anything else is no date. */
function birthDate(value: string): string[] {
  const [from, to] = value.replace(/^circa\s+/i, '').split(/\s+to\s+/i);
  const start = isoDate(from ?? '');
  if (start === undefined) return [];
  if (to === undefined) return [/^circa/i.test(value) ? `~${start}` : start];
  const end = isoDate(to);
  return [end === undefined ? start : `${start.slice(0, 4)}/${end.slice(0, 4)}`];
}

function isoDate(text: string): string | undefined {
  const [, day, monthName, year] = /^(?:(?:(\d{1,2}) )?([A-Z][a-z]{2}) )?(\d{4})$/.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  if (monthName === undefined) return year;
  const month = String(MONTHS.indexOf(monthName.toLowerCase()) + 1).padStart(2, '0');
  return day === undefined ? `${year}-${month}` : `${year}-${month}-${day.padStart(2, '0')}`;
}
