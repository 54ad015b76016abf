export type EntryType = 'person' | 'organisation' | 'vessel' | 'aircraft';

/** The kind of a listed name. `weak` is an alias that the list itself marks as low quality. */
export type NameKind = 'primary' | 'aka' | 'fka' | 'weak' | 'original_script';

export interface ListedName {
  text: string;
  kind: NameKind;
}

/** An identifying number or code; `country` is ISO 3166-1 alpha-2, if the list has one. */
export interface ListedIdentifier {
  kind: 'passport' | 'national' | 'tax' | 'registration' | 'lei' | 'imo' | 'mmsi' | 'bic' | 'other';
  value: string;
  country?: string;
}

/** A listed wallet. `asset` is the list's own code (`XBT`, `USDT`, …), so it never decides a match. */
export interface ListedWallet {
  asset: string;
  address: string;
}

/** One listing of the subject: reason, start and end. All texts are as published. */
export interface SanctionsListing {
  /** The listing authority, if the file combines several; otherwise it is the authority of the list. */
  authority?: string;
  /** The name of the authority's own list, if the file combines several. */
  listName?: string;
  /** The authority's own id of the listing, if it differs from the entry's `sourceId`. */
  listingId?: string;
  programs: string[];
  /** `YYYY-MM-DD`. */
  listedOn?: string;
  delistedOn?: string;
  endsOn?: string;
  reason?: string;
  links: string[];
  /** "asset freeze", "travel ban", … */
  types: string[];
}

/** One subject of a sanctions list, in the common form of all lists. */
export interface ListEntry {
  list: string;
  /** The list's own id of the subject. */
  sourceId: string;
  type: EntryType;
  names: ListedName[];
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; a range is `YYYY/YYYY`; a leading `~` means approximately. */
  birthDates: string[];
  birthPlaces: string[];
  gender?: 'male' | 'female';
  /** ISO alpha-2 codes of nationality, citizenship, address and flag. */
  countries: string[];
  identifiers: ListedIdentifier[];
  wallets: ListedWallet[];
  programs: string[];
  title?: string;
  remarks?: string;
  /** Absent if the file has only `programs` and `remarks`. */
  listings?: SanctionsListing[];
}
