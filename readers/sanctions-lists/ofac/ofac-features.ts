import type { EntryDraft } from '../entry-draft.ts';
import { ofacPeriod } from './ofac-dates.ts';
import type { OfacPlace, OfacReferences } from './ofac-references.ts';
import { findNode, type XmlNode } from '../xml-node.ts';

/** What a feature says, in whichever of the forms it says it. */
interface OfacFeature {
  label: string;
  text: string;
  place: OfacPlace | undefined;
  date: string | undefined;
}

const COUNTRIES = new Set([
  'Location',
  'Nationality Country',
  'Citizenship Country',
  'Registration Country',
  'Nationality of Registration',
  'Vessel Flag',
  'Other Vessel Flag',
  'Former Vessel Flag',
]);
const IDENTIFIERS = new Map<string, 'bic' | 'mmsi' | 'other'>([
  ['SWIFT/BIC', 'bic'],
  ['MMSI', 'mmsi'],
  ['Vessel Call Sign', 'other'],
  ['D-U-N-S Number', 'other'],
  ['BIK (RU)', 'other'],
]);
const WALLET = 'Digital Currency Address - ';

/** Adds what a feature of a party says. What is not known by its label goes to the remarks, so that nothing is lost. */
export function addOfacFeature(
  entry: EntryDraft,
  node: XmlNode,
  references: OfacReferences,
  places: ReadonlyMap<string, OfacPlace>,
): void {
  const feature = readFeature(node, references, places);
  const { label, text, place } = feature;
  const identifier = IDENTIFIERS.get(label);
  if (label.startsWith(WALLET)) entry.addWallet(label.slice(WALLET.length), text);
  else if (COUNTRIES.has(label)) entry.addCountry(place?.country || text || (place?.parts.join(' ') ?? ''));
  else if (identifier !== undefined) entry.addIdentifier(identifier, text);
  else addPersonal(entry, feature);
}

function addPersonal(entry: EntryDraft, { label, text, place, date }: OfacFeature): void {
  switch (label) {
    case 'Birthdate':
      entry.addBirthDate(date);
      break;
    case 'Place of Birth':
      entry.addBirthPlace(...(place === undefined ? [text] : [...place.parts, place.country]));
      break;
    case 'Gender':
      entry.setGender(text);
      break;
    case 'Title':
      entry.addTitle(text);
      break;
    default:
      entry.addRemarks([`${label}:`, text, date ?? '', place?.country ?? ''].join(' '));
  }
}

function readFeature(
  node: XmlNode,
  references: OfacReferences,
  places: ReadonlyMap<string, OfacPlace>,
): OfacFeature {
  const label = references.text('FeatureType', node.attributes['FeatureTypeID']);
  const detail = findNode(node, 'VersionDetail');
  const place = findNode(node, 'VersionLocation')?.attributes['LocationID'];
  const period = findNode(node, 'DatePeriod');
  return {
    label: label.replace(/\s*[:-]$/, ''),
    text:
      references.text('DetailReference', detail?.attributes['DetailReferenceID']) ||
      (detail?.text.trim() ?? ''),
    place: place === undefined ? undefined : places.get(place),
    date: period === undefined ? undefined : ofacPeriod(period),
  };
}
