import type {
  EntryType,
  ListEntry,
  ListedIdentifier,
  SanctionsListing,
} from '../../../domain/sanctions/list-entry.ts';
import { EntryDraft, plainListing, plainText } from '../entry-draft.ts';
import type { ListFile } from '../list-text.ts';
import { ofacDate } from './ofac-dates.ts';
import { addOfacFeature } from './ofac-features.ts';
import { addOfacNames } from './ofac-names.ts';
import { OfacReferences, placeOf, type OfacPlace } from './ofac-references.ts';
import { identifierKind } from './ofac-remarks.ts';
import { pushTo } from '../push-to.ts';
import type { ReadingState } from '../reading-state.ts';
import { childrenOf, textOf, textsOf, type XmlNode } from '../xml-node.ts';
import { xmlRecords } from '../xml-records.ts';

const SHAPE = {
  root: 'Sanctions',
  records: new Set([
    ...OfacReferences.sets,
    'DateOfIssue',
    'Location',
    'IDRegDocument',
    'DistinctParty',
    'SanctionsEntry',
  ]),
};
/** OFAC's own page of a subject. */
const PAGE = 'https://sanctionssearch.ofac.treas.gov/Details.aspx?id=';

interface OfacParty {
  entry: EntryDraft;
  profileId: string;
  identityIds: string[];
}

/** What the file says apart from the parties, by the number that joins them. All of it stays in memory. */
interface HeldNodes {
  references: OfacReferences;
  places: Map<string, OfacPlace>;
  documents: Map<string, ListedIdentifier[]>;
  listings: Map<string, SanctionsListing[]>;
  parties: OfacParty[];
}

/**
 * SDN_ADVANCED.XML or CONS_ADVANCED.XML. Listing dates come after the parties, so that all entries are held until the end
 * of the file; only one element of the file is held as such.
 */
export async function* readOfacXml(file: ListFile, reading: ReadingState): AsyncGenerator<ListEntry> {
  const held: HeldNodes = {
    references: new OfacReferences(),
    places: new Map(),
    documents: new Map(),
    listings: new Map(),
    parties: [],
  };
  for await (const node of xmlRecords(file, SHAPE, reading)) take(node, held, reading);
  for (const party of held.parties) {
    const entry = joinedEntry(party, held);
    if (entry === undefined) reading.fault();
    else yield entry;
  }
}

function take(node: XmlNode, held: HeldNodes, reading: ReadingState): void {
  const id = node.attributes['ID'] ?? '';
  switch (node.name) {
    case 'Sanctions':
      break;
    case 'DateOfIssue':
      reading.publishedAt = ofacDate(node);
      break;
    case 'Location':
      hold(reading, held.places.set(id, placeOf(node, held.references)).get(id));
      break;
    case 'IDRegDocument':
      pushTo(held.documents, node.attributes['IdentityID'] ?? '', hold(reading, documentOf(node, held)));
      break;
    case 'DistinctParty':
      takeParty(node, held, reading);
      break;
    case 'SanctionsEntry':
      pushTo(held.listings, node.attributes['ProfileID'] ?? '', hold(reading, listingOf(node, held)));
      break;
    default:
      held.references.add(hold(reading, node));
  }
}

function hold<Value>(reading: ReadingState, value: Value): Value {
  reading.hold(JSON.stringify(value)?.length ?? 0);
  return value;
}

function takeParty(node: XmlNode, held: HeldNodes, reading: ReadingState): void {
  const profile = childrenOf(node, 'Profile')[0];
  const type = partyType(profile, held.references);
  if (profile === undefined || type === undefined) {
    reading.fault();
    return;
  }
  const profileId = profile.attributes['ID'] ?? '';
  const entry = new EntryDraft(reading.list, node.attributes['FixedRef'] ?? profileId, type);
  const identities = childrenOf(profile, 'Identity');
  for (const identity of identities) addOfacNames(entry, identity, held.references);
  for (const feature of [...childrenOf(profile, 'Feature'), ...childrenOf(node, 'Feature')])
    addOfacFeature(entry, feature, held.references, held.places);
  for (const comment of textsOf(node, 'Comment')) entry.addRemarks(comment);
  reading.holdEntry();
  held.parties.push({
    entry: hold(reading, entry),
    profileId,
    identityIds: identities.map(({ attributes }) => attributes['ID'] ?? ''),
  });
}

/** Vessels and aircraft are sub-types; of the others only the type above says what they are. */
function partyType(profile: XmlNode | undefined, references: OfacReferences): EntryType | undefined {
  const subType = profile?.attributes['PartySubTypeID'];
  const name = references.text('PartySubType', subType);
  if (name === 'Vessel') return 'vessel';
  if (name === 'Aircraft') return 'aircraft';
  const above = references.text('PartyType', references.attribute('PartySubType', subType, 'PartyTypeID'));
  const type = [name, above].find((text) => text === 'Individual' || text === 'Entity');
  return type === undefined ? undefined : type === 'Individual' ? 'person' : 'organisation';
}

function documentOf(node: XmlNode, { references }: HeldNodes): ListedIdentifier {
  const number = plainText(textOf(node, 'IDRegistrationNo'));
  const type = references.text('IDRegDocType', node.attributes['IDRegDocTypeID']);
  const isImo = /^IMO\s*\d+$/i.test(number);
  return {
    kind: isImo
      ? 'imo'
      : (identifierKind(`${type} ${number}`) ?? (/passport/i.test(type) ? 'passport' : 'other')),
    value: isImo ? number.replace(/^IMO\s*/i, '') : number,
    country: references.text('Country', node.attributes['IssuedBy-CountryID']),
  };
}

function listingOf(node: XmlNode, { references }: HeldNodes): SanctionsListing {
  const events = childrenOf(node, 'EntryEvent');
  const days = events.flatMap((event) => ofacDate(childrenOf(event, 'Date')[0]) ?? []);
  const bases = events.map(({ attributes }) => references.text('LegalBasis', attributes['LegalBasisID']));
  const measures = childrenOf(node, 'SanctionsMeasure').map((measure) => ({
    type: plainText(references.text('SanctionsType', measure.attributes['SanctionsTypeID'])),
    comment: textOf(measure, 'Comment'),
  }));
  return plainListing({
    listName: references.text('List', node.attributes['ListID']),
    programs: measures.filter(({ type }) => type === 'Program').map(({ comment }) => comment),
    listedOn: days.sort()[0],
    reason: [...new Set(bases.filter((basis) => basis !== ''))].join('; '),
    links: [`${PAGE}${node.attributes['ProfileID'] ?? ''}`],
    types: measures.filter(({ type }) => type !== 'Program').map(({ type }) => type),
  });
}

function joinedEntry({ entry, profileId, identityIds }: OfacParty, held: HeldNodes): ListEntry | undefined {
  for (const identityId of identityIds) {
    for (const { kind, value, country } of held.documents.get(identityId) ?? [])
      entry.addIdentifier(kind, value, country);
  }
  for (const listing of held.listings.get(profileId) ?? []) entry.addListing(listing);
  return entry.finish();
}
