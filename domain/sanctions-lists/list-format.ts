/** The formats in which sanctions lists are read; CSV is the one of lists that operators make themselves. */
export const LIST_FORMATS = [
  'OFAC_CSV',
  'OFAC_XML',
  'UN_XML',
  'EU_XML',
  'UK_CSV',
  'FTM_JSONL',
  'CSV',
] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];
