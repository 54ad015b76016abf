/** From here on a match is shown: a person should look at it. */
export const REVIEW_THRESHOLD = 0.72;
/** From here on the subject counts as sanctioned. */
export const MATCH_THRESHOLD = 0.88;
/** Changes whenever the same lists and names may score otherwise; saved with every screening. */
export const ENGINE_VERSION = '2';
