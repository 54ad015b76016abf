/** What one file of labels may hold, in bytes and labels. */
export const LABEL_FILE_LIMITS = { fileBytes: 256 * 1024 * 1024, rows: 1_000_000 } as const;
