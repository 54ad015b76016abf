import type { ListedIdentifier, SanctionsListing } from '../../../domain/sanctions/list-entry.ts';
import { type EntryDraft, plainListing, plainTexts } from '../entry-draft.ts';
import { hasSanctionTopic, type FtmObject } from './ftm-object.ts';
import { dateOf, ftmWallet, type FtmWallet } from './ftm-subject.ts';

/** What an object of its own says of a subject; `isSanction` where it makes the subject a sanctioned one. */
export type FtmLink = { targets: string[]; isSanction: boolean } & (
  | { listing: SanctionsListing }
  | { kind: ListedIdentifier['kind']; numbers: string[]; country: string }
  | FtmWallet
);

/** Undefined for objects that say nothing that an entry has a place for. */
export function ftmLink(object: FtmObject): FtmLink | undefined {
  switch (object.schema) {
    case 'Sanction':
      return { targets: object.values('entity'), isSanction: true, listing: listingOf(object) };
    case 'Passport':
    case 'Identification':
      return {
        targets: object.values('holder'),
        isSanction: false,
        kind: documentKind(object),
        numbers: object.values('number'),
        country: object.values('country')[0] ?? '',
      };
    case 'CryptoWallet':
      return { targets: object.values('holder'), isSanction: hasSanctionTopic(object), ...ftmWallet(object) };
    default:
      return undefined;
  }
}

export function applyLink(entry: EntryDraft, link: FtmLink): void {
  if ('listing' in link) entry.addListing(link.listing);
  else if ('numbers' in link)
    for (const number of link.numbers) entry.addIdentifier(link.kind, number, link.country);
  else for (const address of link.addresses) entry.addWallet(link.asset, address);
}

function documentKind(object: FtmObject): ListedIdentifier['kind'] {
  const type = object.values('type').join(' ');
  if (object.schema === 'Passport' || /passport/i.test(type)) return 'passport';
  return /national|identi|\bid\b/i.test(type) ? 'national' : 'other';
}

function listingOf(object: FtmObject): SanctionsListing {
  const programs = plain(object, 'program');
  return plainListing({
    authority: plain(object, 'authority')[0],
    listingId: plain(object, 'authorityId', 'unscId', 'recordId')[0],
    programs: programs.length > 0 ? programs : plain(object, 'programId'),
    listedOn: days(object, 'listingDate', 'startDate')[0],
    endsOn: days(object, 'endDate')[0],
    reason: plain(object, 'reason').join('; '),
    links: plain(object, 'sourceUrl', 'programUrl'),
    types: plain(object, 'provisions'),
  });
}

function plain(object: FtmObject, ...properties: string[]): string[] {
  return plainTexts(properties.flatMap(object.values));
}

function days(object: FtmObject, ...properties: string[]): string[] {
  return properties.flatMap(object.values).flatMap((text) => {
    const date = dateOf(text);
    return date?.length === 10 ? [date] : [];
  });
}
