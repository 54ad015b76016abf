import type { ListEntry, SanctionsListing } from '../sanctions/list-entry.ts';
import { detailsOf } from './lists.ts';
import type { SanctionView } from './schema.ts';

/** The listings of an entry in responses; `today` (YYYY-MM-DD) decides which have ended. */
export function viewListings(entry: ListEntry, today: string): SanctionView[] {
  const listings = entry.listings ?? [{ programs: entry.programs, links: [], types: [] }];
  return listings.map((listing) => viewListing(entry, listing, today));
}

function viewListing(entry: ListEntry, listing: SanctionsListing, today: string): SanctionView {
  const details = detailsOf(entry.list);
  const isForeign = listing.authority !== undefined && listing.authority !== details.authority;
  const page = details.pageOf?.(entry.sourceId);
  const ended = listing.delistedOn ?? listing.endsOn;
  return {
    countries: isForeign ? [] : [...details.countries],
    listedOn: given(listing.listedOn),
    delistedOn: given(listing.delistedOn),
    listingId: [listing.listingId ?? entry.sourceId],
    reason: given(listing.reason ?? entry.remarks),
    referenceLinks: [...new Set([...listing.links, ...given(page)])],
    sanctionAuthority: given(listing.authority ?? details.authority),
    sanctionList: [listing.listName ?? details.name],
    sanctionProgram: listing.programs,
    sanctionType: listing.types.length > 0 || isForeign ? listing.types : [...details.types],
    status: [ended !== undefined && ended <= today ? 'delisted' : 'active'],
    duration: [ended === undefined ? 'indefinite' : `until ${ended}`],
  };
}

function given(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [text];
}
