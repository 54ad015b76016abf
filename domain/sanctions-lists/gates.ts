/** Why a file that can be read is not taken all the same. */
export const REJECT_REASONS = ['EMPTY', 'FAULTS', 'SENTINELS_MISSING', 'SHRUNK'] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** What a file holds, beside what is active. */
export interface ReadContents {
  code: string;
  entries: number;
  /** Entries that could not be read. */
  faults: number;
  /** Entries of the active version; 0 without one. */
  active: number;
  /** How many of `sentinelsOf(code)` the file has. */
  sentinels: number;
  /** The operator has said that the list really is that short. Nothing else is waived by it. */
  acceptShrink: boolean;
}

/** A shorter list than this share of the active one is a cut file until an operator says otherwise. */
const LEAST_SHARE = 0.9;
/** From this share of unreadable entries on, the format has changed rather than an entry. */
const FAULT_SHARE = 0.001;

/** Ids that have been on a list for years. Single ones are delisted some day; most of them gone is another file. */
const SENTINELS: Record<string, readonly string[]> = {
  // Cuba, terrorism, drugs, North Korea, Iran: no single decision delists half of them.
  OFAC_SDN: '306 735 4688 4695 4697 4709 4715 6366 9345 9346 10391 11440'.split(' '),
};

export function sentinelsOf(code: string): readonly string[] {
  return SENTINELS[code] ?? [];
}

/** The first gate that the contents do not pass; undefined when they may become the active version. */
export function failedGate(contents: ReadContents): RejectReason | undefined {
  const { entries, faults, active, sentinels, acceptShrink, code } = contents;
  if (entries === 0) return 'EMPTY';
  if (faults / entries >= FAULT_SHARE) return 'FAULTS';
  if (sentinels * 2 < sentinelsOf(code).length) return 'SENTINELS_MISSING';
  if (entries < active * LEAST_SHARE && !acceptShrink) return 'SHRUNK';
  return undefined;
}

type ListFigures = Pick<ReadContents, 'entries' | 'faults' | 'active'>;

const REFUSALS: Record<RejectReason, (figures: ListFigures) => string> = {
  EMPTY: () => 'The file has no entry. An empty file never replaces a list: fetch it again.',
  FAULTS: ({ entries, faults }) =>
    `${faults} of ${entries + faults} entries cannot be read, one in a thousand or more: is it a file of this format, and whole?`,
  SENTINELS_MISSING: () =>
    'Most of the entries that have been on this list for many years are missing: is it the file of another list?',
  SHRUNK: ({ entries, active }) =>
    `The file has ${entries} entries, less than 90 % of the ${active} that are active. If the list really is that short, send the file again with acceptShrink=true.`,
};

/** What an operator is told, with the numbers and with what to do. */
export function gateRefusal(reason: RejectReason, figures: ListFigures): string {
  return REFUSALS[reason](figures);
}
