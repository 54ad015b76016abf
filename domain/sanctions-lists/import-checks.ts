/** Why a readable file is rejected: by a check, or because newer contents have come since it was sent. */
export const REJECT_REASONS = ['EMPTY', 'FAULTS', 'SENTINELS_MISSING', 'SHRUNK', 'OUTDATED'] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** Figures of a file and of the active version. */
export interface ReadContents {
  code: string;
  entries: number;
  /** Entries that could not be read. */
  faults: number;
  names: number;
  wallets: number;
  /** Entries of the active version; 0 without one. */
  active: number;
  activeNames: number;
  activeWallets: number;
  /** Number of ids of `sentinelsOf(code)` in the file. */
  sentinels: number;
  /** The operator confirms that the list is really that short. Waives SHRUNK only. */
  acceptShrink: boolean;
}

/** A file with less than this share of the active entries, names or wallets counts as truncated, unless an operator accepts it. */
const MIN_SHARE = 0.9;
/** Fewer names or wallets go with single subjects; that all of them go counts as truncated as well. */
const MIN_LOSS = 10;
/** From this share of unreadable entries on, the format has probably changed. */
const FAULT_SHARE = 0.001;

/** Ids that have been on a list for years. Single ones may be delisted; if most are missing, it is another file. */
const SENTINELS: Record<string, readonly string[]> = {
  // From the programmes on Cuba, terrorism, drugs, North Korea and Iran: no single decision delists half of them.
  OFAC_SDN: '306 735 4688 4695 4697 4709 4715 6366 9345 9346 10391 11440'.split(' '),
};

/** The sentinel ids of a list; empty if it has none. */
export function sentinelsOf(code: string): readonly string[] {
  return SENTINELS[code] ?? [];
}

/** The first check that the file fails; undefined if it may become the active version. */
export function failedCheck(contents: ReadContents): RejectReason | undefined {
  const { entries, faults, sentinels, acceptShrink, code } = contents;
  if (entries === 0) return 'EMPTY';
  if (faults / entries >= FAULT_SHARE) return 'FAULTS';
  if (sentinels * 2 < sentinelsOf(code).length) return 'SENTINELS_MISSING';
  return hasShrunk(contents) && !acceptShrink ? 'SHRUNK' : undefined;
}

/** Aliases and remarks may come in files of their own, whose loss takes names and wallets and leaves the entries. */
function hasShrunk({ entries, active, names, activeNames, wallets, activeWallets }: ReadContents): boolean {
  const parts = [
    { now: names, before: activeNames },
    { now: wallets, before: activeWallets },
  ];
  const isPartLost = parts.some(
    ({ now, before }) => now < before * MIN_SHARE && (now === 0 || before - now >= MIN_LOSS),
  );
  return entries < active * MIN_SHARE || isPartLost;
}

type ListFigures = Pick<ReadContents, 'entries' | 'names' | 'wallets' | 'faults' | 'active'>;

const REFUSALS: Record<RejectReason, (figures: ListFigures) => string> = {
  EMPTY: () => 'The file has no entry. An empty file never replaces a list: fetch it again.',
  FAULTS: ({ entries, faults }) =>
    `${faults} of ${entries + faults} entries cannot be read, one in a thousand or more: is it a complete file of this format?`,
  SENTINELS_MISSING: () =>
    'Most of the entries that have been on this list for many years are missing: is it the file of another list?',
  SHRUNK: ({ entries, names, wallets, active }) =>
    `The file has ${entries} entries, ${names} names and ${wallets} wallets; of one of these it has less than 90 % of what the active version has, whose entries are ${active}. If the list really is that short, send the file again with acceptShrink=true.`,
  OUTDATED: () =>
    'Another file of this list was sent after this one and is in use. If these contents are to replace it, send the file again.',
};

/** The message for the operator, with the figures and a remedy. */
export function checkRefusal(reason: RejectReason, figures: ListFigures): string {
  return REFUSALS[reason](figures);
}
