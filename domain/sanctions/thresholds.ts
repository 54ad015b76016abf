/** Minimum score for a match to be shown for review. */
export const REVIEW_THRESHOLD = 0.72;
/** Minimum score for a subject to count as sanctioned. */
export const MATCH_THRESHOLD = 0.88;
/** How alike a name must be, 0 to 1, for an equal identifier to be the same subject's. */
export const SAME_SUBJECT = 0.5;
/** Raised whenever the same lists and names may score differently; stored with every screening. */
export const ENGINE_VERSION = '18';
