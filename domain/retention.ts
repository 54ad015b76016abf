const HOUR = 3_600;
const DAY = 24 * HOUR;

/** What is kept only for a time, and for how long, in seconds. Housekeeping removes it within the hour after that. */
export const KEPT_SECONDS = {
  /** The answers under an Idempotency-Key; a key is free again from then on, removed or not. */
  idempotencyKeys: 24 * HOUR,
  /** The bodies of webhooks, from the end of their delivery on; the rest of the delivery log stays. */
  webhookBodies: 30 * DAY,
  /** Single attempts in the delivery log; their number stays. */
  webhookAttempts: 90 * DAY,
  /** Results of wallet imports. */
  walletImports: 30 * DAY,
  /** Files of wallets whose import never began; a file that is imported is removed at once. */
  walletUploads: DAY,
  /** Files that arrived and were never made part of a record. */
  abandonedFiles: DAY,
  /** Files of refused proofs and steps, and all selfies, from the decision on. */
  refusedFiles: 90 * DAY,
  /** Prices that nobody has refreshed. */
  prices: 7 * DAY,
  /** Answers of screenings: five calendar years. */
  screenings: 1_827 * DAY,
  /** Answers of AML providers, from the last time that one was asked on: as long as screenings. */
  amlChecks: 1_827 * DAY,
  /** Answers about wallets, too. */
  walletChecks: 1_827 * DAY,
} as const;

export type KeptForATime = keyof typeof KEPT_SECONDS;
