const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Retention times in seconds. Housekeeping removes expired data within an hour. */
export const KEPT_SECONDS = {
  /** Responses stored under an Idempotency-Key; an expired key can be used again, even if it is not yet removed. */
  idempotencyKeys: 24 * HOUR,
  /** Bodies of webhooks, from the end of their delivery on; the rest of the delivery log stays. */
  webhookBodies: 30 * DAY,
  /** Attempts in the delivery log; their number stays. Nobody is shown older ones, which are removed by months. */
  webhookAttempts: 90 * DAY,
  /** Results of wallet imports. */
  walletImports: 30 * DAY,
  /** Wallet files whose import never started; an imported file is removed at once. */
  walletUploads: DAY,
  /** Uploaded files that never became part of a record. */
  abandonedFiles: DAY,
  /** Files of declined proofs and steps, and all selfies, from the decision on. */
  refusedFiles: 90 * DAY,
  /** Prices that were not refreshed. */
  prices: 7 * DAY,
  /** Results of screenings: five calendar years. */
  screenings: 1_827 * DAY,
  /** Results of AML checks, from the last request on: as long as screenings. */
  amlChecks: 1_827 * DAY,
  /** Results of wallet checks: as long as screenings. */
  walletChecks: 1_827 * DAY,
  /** Sessions of users, from the end of their refresh token on. */
  userSessions: 30 * DAY,
  /** Counted sign-ins and the like; the longest count is of a day. */
  countedTries: DAY,
  /** Mails, sent or not. */
  mails: 30 * DAY,
  /** Links of mails, from the end of their time on. */
  userLinks: 30 * DAY,
  /** Answers of tenants to the question whether an address is theirs: after that they are asked again. */
  addressAnswers: 24 * HOUR,
} as const;

/**
 * What is removed by months goes when the last of its month is past its time: of the first day that is a month later, and the last
 * attempt of a webhook is made days after the first.
 */
export const MONTH_OVER_SECONDS = 40 * DAY;

export type KeptForATime = keyof typeof KEPT_SECONDS;
