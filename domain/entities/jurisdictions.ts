/**
 * The two public lists of the Financial Action Task Force as ISO 3166-1 alpha-2 codes. They are revised three times a
 * year; update the date too.
 */
export const FATF = {
  asOf: '2026-06',
  /** High-risk jurisdictions subject to a call for action. */
  callForAction: ['IR', 'KP', 'MM'],
  /** Jurisdictions under increased monitoring. */
  increasedMonitoring: [
    'AO',
    'BA',
    'BG',
    'BO',
    'CD',
    'CI',
    'CM',
    'HT',
    'IQ',
    'KE',
    'KW',
    'LA',
    'LB',
    'MC',
    'NP',
    'PG',
    'SS',
    'SY',
    'VE',
    'VG',
    'VN',
    'YE',
  ],
} as const;
