/** What a list may be at most. Real lists stay far below: a file that goes over one of these is refused as a whole. */
export interface ListLimits {
  /** Bytes of all files together. */
  bytes: number;
  /** Characters of one text, attribute, cell or line. */
  textLength: number;
  /** Characters of one subject as a whole. */
  subjectLength: number;
  /** Elements inside each other. */
  depth: number;
  /** Attributes of one element. */
  attributes: number;
  entries: number;
  /** Units that may be held until the end of the file, about a byte each, by formats that join what stands apart. */
  held: number;
}

const MEGABYTE = 1_000_000;

export const LIST_LIMITS: ListLimits = {
  bytes: 512 * MEGABYTE,
  textLength: MEGABYTE,
  subjectLength: 16 * MEGABYTE,
  depth: 64,
  attributes: 100,
  entries: 5_000_000,
  held: 256 * MEGABYTE,
};

/** FollowTheMoney files bring many lists together. */
export const FTM_LIMITS: ListLimits = { ...LIST_LIMITS, bytes: 2000 * MEGABYTE };
