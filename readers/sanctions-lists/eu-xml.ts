import type { EntryType, ListEntry, ListedIdentifier, NameKind } from '../../domain/sanctions/list-entry.ts';
import { EntryDraft, isOriginalScript, plainListing, plainText } from './entry-draft.ts';
import { about, isoDay, moment, partialDate, yearRange } from './list-dates.ts';
import type { ListFile } from './list-text.ts';
import type { ReadingState } from './reading-state.ts';
import { childOf, childrenOf, textOf, textsOf, type XmlNode } from './xml-node.ts';
import { xmlRecords } from './xml-records.ts';

const SHAPE = { root: 'export', records: new Set(['sanctionEntity']) };
const TYPES = new Map<string, EntryType>([
  ['person', 'person'],
  ['enterprise', 'organisation'],
]);
const IDENTIFIERS = new Map<string, ListedIdentifier['kind']>([
  ['passport', 'passport'],
  ['id', 'national'],
  ['ssn', 'national'],
  ['nationcert', 'national'],
  ['nrn', 'national'],
  ['fiscalcode', 'tax'],
  ['taxid', 'tax'],
  ['euvat', 'tax'],
  ['regnumber', 'registration'],
  ['tradelic', 'registration'],
  ['imo', 'imo'],
  ['swiftbic', 'bic'],
]);

/** The consolidated list of the EU's financial sanctions, XML form 1.1. */
export async function* readEuXml(file: ListFile, reading: ReadingState): AsyncGenerator<ListEntry> {
  for await (const node of xmlRecords(file, SHAPE, reading)) {
    if (node.name === SHAPE.root) {
      reading.publishedAt = moment(node.attributes['generationDate']);
      continue;
    }
    const entry = subject(node, reading.list);
    if (entry === undefined) reading.fault();
    else yield entry;
  }
}

function subject(node: XmlNode, list: string): ListEntry | undefined {
  const type = TYPES.get(attribute(childOf(node, 'subjectType'), 'code').toLowerCase());
  if (type === undefined) return undefined;
  const reference = attribute(node, 'euReferenceNumber');
  const entry = new EntryDraft(list, attribute(node, 'logicalId') || reference, type);
  for (const alias of childrenOf(node, 'nameAlias')) addAlias(entry, alias);
  for (const birth of childrenOf(node, 'birthdate')) {
    entry.addBirthDate(birthDate(birth));
    entry.addBirthPlace(attribute(birth, 'city') || attribute(birth, 'place'), countryName(birth));
  }
  for (const name of ['citizenship', 'address']) {
    for (const place of childrenOf(node, name)) entry.addCountry(countryOf(place));
  }
  for (const document of childrenOf(node, 'identification')) addDocument(entry, document);
  for (const remark of textsOf(node, 'remark')) entry.addRemarks(remark);
  for (const regulation of childrenOf(node, 'regulation')) addRegulation(entry, node, regulation);
  return entry.finish();
}

function addAlias(entry: EntryDraft, alias: XmlNode): void {
  const parts = ['firstName', 'middleName', 'lastName'].map((part) => attribute(alias, part)).join(' ');
  const name = attribute(alias, 'wholeName') || parts;
  entry.addName(name, aliasKind(entry, alias, name));
  entry.addTitle(attribute(alias, 'title'));
  entry.addTitle(attribute(alias, 'function'));
  entry.setGender(attribute(alias, 'gender'));
}

/** Names in every language of the EU stand side by side; the first strong one in Latin letters is taken as primary. */
function aliasKind(entry: EntryDraft, alias: XmlNode, name: string): NameKind {
  const isWeak =
    attribute(alias, 'strong') === 'false' ||
    textsOf(alias, 'remark').some((text) => /low quality/i.test(text));
  if (isWeak) return 'weak';
  if (isOriginalScript(name)) return 'original_script';
  return entry.names.some(({ kind }) => kind === 'primary') ? 'aka' : 'primary';
}

function birthDate(node: XmlNode): string | undefined {
  const date =
    isoDay(attribute(node, 'birthdate')) ??
    partialDate(attribute(node, 'year'), attribute(node, 'monthOfYear'), attribute(node, 'dayOfMonth')) ??
    yearRange(attribute(node, 'yearRangeFrom'), attribute(node, 'yearRangeTo'));
  return attribute(node, 'circa') === 'true' ? about(date) : date;
}

function addDocument(entry: EntryDraft, node: XmlNode): void {
  const kind = IDENTIFIERS.get(attribute(node, 'identificationTypeCode').toLowerCase()) ?? 'other';
  for (const name of ['number', 'latinNumber'])
    entry.addIdentifier(kind, attribute(node, name).replace(/^IMO\s*/i, ''), countryOf(node));
}

/** The regulation is often the last one that changed the entry: the day of designation says since when it is listed. */
function addRegulation(entry: EntryDraft, node: XmlNode, regulation: XmlNode): void {
  const listedOn =
    isoDay(attribute(node, 'designationDate')) ?? isoDay(attribute(regulation, 'publicationDate'));
  const reference = plainText(attribute(node, 'euReferenceNumber'));
  const listing = plainListing({
    listingId: reference === entry.sourceId ? '' : reference,
    programs: [attribute(regulation, 'programme')],
    listedOn,
    reason: attribute(regulation, 'numberTitle'),
    links: [textOf(regulation, 'publicationUrl')],
  });
  entry.addListing(listing);
}

/** `00` is the list's code for an unknown country. */
function countryOf(node: XmlNode): string {
  const code = attribute(node, 'countryIso2Code');
  return code === '' || code === '00' ? countryName(node) : code;
}

function countryName(node: XmlNode): string {
  const name = attribute(node, 'countryDescription');
  return name.toUpperCase() === 'UNKNOWN' ? '' : name;
}

function attribute(node: XmlNode | undefined, name: string): string {
  return node?.attributes[name]?.trim() ?? '';
}
