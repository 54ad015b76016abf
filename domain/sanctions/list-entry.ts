export type EntryType = 'person' | 'organisation' | 'vessel' | 'aircraft';

/** How a list names its subject. `weak` is an alias that the list itself calls of low quality. */
export type NameKind = 'primary' | 'aka' | 'fka' | 'weak' | 'original_script';

export interface ListedName {
  text: string;
  kind: NameKind;
}

/** A number or code that names its holder; `country` is ISO alpha-2 where the list gives one. */
export interface ListedIdentifier {
  kind: 'passport' | 'national' | 'tax' | 'registration' | 'lei' | 'imo' | 'mmsi' | 'bic' | 'other';
  value: string;
  country?: string;
}

/** `asset` is the list's own code (`XBT`, `USDT`, …): lists use codes of their own, so it never decides a match. */
export interface ListedWallet {
  asset: string;
  address: string;
}

/** One listing of the subject: what the list says of why, since when and until when. All texts as published. */
export interface Listing {
  /** Who listed, where the file brings together several authorities; else the authority of the list. */
  authority?: string;
  /** The name of the authority's own list, on the same terms. */
  listName?: string;
  /** The authority's own id of the listing, where it differs from the entry's `sourceId`. */
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

/** One subject of a sanctions list, in the form that every list is brought into. */
export interface ListEntry {
  list: string;
  /** The list's own id of the subject. */
  sourceId: string;
  type: EntryType;
  names: ListedName[];
  /** `YYYY`, `YYYY-MM` or `YYYY-MM-DD`; a range is `YYYY/YYYY`; a leading `~` says about. */
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
  /** Absent where the file says no more than `programs` and `remarks`. */
  listings?: Listing[];
}
