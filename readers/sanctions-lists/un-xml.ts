import type { EntryType, ListEntry, ListedIdentifier, NameKind } from '../../domain/sanctions/list-entry.ts';
import { EntryDraft, plainListing } from './entry-draft.ts';
import { about, isoDay, moment, partialDate, yearRange } from './list-dates.ts';
import type { ListFile } from './list-text.ts';
import type { ReadingState } from './reading-state.ts';
import { childOf, childrenOf, textOf, textsOf, type XmlNode } from './xml-node.ts';
import { xmlRecords } from './xml-records.ts';

const SHAPE = { root: 'CONSOLIDATED_LIST', records: new Set(['INDIVIDUAL', 'ENTITY']) };
const ALIAS_KINDS = new Map<string, NameKind>([
  ['low', 'weak'],
  ['f.k.a.', 'fka'],
]);
const DOCUMENTS: readonly [RegExp, ListedIdentifier['kind']][] = [
  [/passport|passeport|pasaporte/i, 'passport'],
  [/national|identi/i, 'national'],
];

/** The consolidated list of the UN Security Council. A subject that it marks as delisted is left out and is no fault. */
export async function* readUnXml(file: ListFile, reading: ReadingState): AsyncGenerator<ListEntry> {
  for await (const node of xmlRecords(file, SHAPE, reading)) {
    if (node.name === SHAPE.root) reading.publishedAt = moment(node.attributes['dateGenerated']);
    else if (textOf(node, 'DELISTED_ON') === '') {
      const entry = subject(node, reading.list).finish();
      if (entry === undefined) reading.fault();
      else yield entry;
    }
  }
}

function subject(node: XmlNode, list: string): EntryDraft {
  const type: EntryType = node.name === 'INDIVIDUAL' ? 'person' : 'organisation';
  const entry = new EntryDraft(list, textOf(node, 'DATAID'), type);
  addNames(entry, node);
  for (const value of valuesOf(node, 'NATIONALITY')) entry.addCountry(value);
  for (const address of childrenOf(node, `${node.name}_ADDRESS`))
    entry.addCountry(textOf(address, 'COUNTRY'));
  for (const birth of childrenOf(node, 'INDIVIDUAL_DATE_OF_BIRTH')) entry.addBirthDate(birthDate(birth));
  for (const place of childrenOf(node, 'INDIVIDUAL_PLACE_OF_BIRTH')) {
    entry.addBirthPlace(...['CITY', 'STATE_PROVINCE', 'COUNTRY'].map((part) => textOf(place, part)));
  }
  for (const document of childrenOf(node, 'INDIVIDUAL_DOCUMENT')) addDocument(entry, document);
  entry.setGender(textOf(node, 'GENDER'));
  for (const title of [...valuesOf(node, 'TITLE'), ...valuesOf(node, 'DESIGNATION')]) entry.addTitle(title);
  addUnListing(entry, node);
  return entry;
}

function addNames(entry: EntryDraft, node: XmlNode): void {
  const parts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];
  entry.addName(parts.map((part) => textOf(node, part)).join(' '), 'primary');
  for (const original of textsOf(node, 'NAME_ORIGINAL_SCRIPT')) entry.addName(original, 'original_script');
  for (const alias of childrenOf(node, `${node.name}_ALIAS`)) {
    const kind = ALIAS_KINDS.get(textOf(alias, 'QUALITY').toLowerCase()) ?? 'aka';
    for (const name of textOf(alias, 'ALIAS_NAME').split(';')) entry.addName(name, kind);
  }
}

function birthDate(node: XmlNode): string | undefined {
  const type = textOf(node, 'TYPE_OF_DATE');
  if (type === 'BETWEEN') return yearRange(textOf(node, 'FROM_YEAR'), textOf(node, 'TO_YEAR'));
  const date = isoDay(textOf(node, 'DATE')) ?? partialDate(textOf(node, 'YEAR'));
  return type === 'APPROXIMATELY' ? about(date) : date;
}

function addDocument(entry: EntryDraft, node: XmlNode): void {
  const type = `${textOf(node, 'TYPE_OF_DOCUMENT')} ${textOf(node, 'TYPE_OF_DOCUMENT2')}`;
  const kind = DOCUMENTS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
  const country = textOf(node, 'ISSUING_COUNTRY') || textOf(node, 'COUNTRY_OF_ISSUE');
  entry.addIdentifier(kind, textOf(node, 'NUMBER'), country);
}

function addUnListing(entry: EntryDraft, node: XmlNode): void {
  const listing = plainListing({
    listingId: textOf(node, 'REFERENCE_NUMBER'),
    programs: textsOf(node, 'UN_LIST_TYPE'),
    listedOn: isoDay(textOf(node, 'LISTED_ON')),
    reason: textOf(node, 'COMMENTS1'),
  });
  entry.addListing(listing);
}

function valuesOf(node: XmlNode, name: string): string[] {
  return textsOf(childOf(node, name), 'VALUE');
}
