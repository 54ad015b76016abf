/** Collects the conditions of one statement with their parameters. */
export interface Conditions {
  /** Adds a parameter and gives its placeholder. */
  value: (value: unknown) => string;
  /** Adds a condition unless the value is undefined; `sql` gets the placeholder. */
  where: (value: unknown, sql: (placeholder: string) => string) => void;
  /** Adds a finished condition. */
  add: (sql: string) => void;
  readonly sql: string;
  readonly values: unknown[];
}

export function conditions(): Conditions {
  const parts: string[] = [];
  const values: unknown[] = [];
  const value = (given: unknown) => `$${values.push(given)}`;
  return {
    value,
    where(given, sql) {
      if (given !== undefined) parts.push(sql(value(given)));
    },
    add(sql) {
      parts.push(sql);
    },
    get sql() {
      return parts.join(' and ');
    },
    values,
  };
}
