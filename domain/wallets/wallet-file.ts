/** The columns that a CSV file of wallets may have; the first three are required. */
export const CSV_COLUMNS = ['address', 'asset', 'blockchain', 'tag', 'metadata', 'holderName'] as const;
export type CsvColumn = (typeof CSV_COLUMNS)[number];
export const REQUIRED_CSV_COLUMNS: readonly CsvColumn[] = CSV_COLUMNS.slice(0, 3);

/** What one upload may hold, in bytes and in rows without the header. */
export const CSV_LIMITS = { fileBytes: 15 * 1024 * 1024, rows: 50_000 } as const;
