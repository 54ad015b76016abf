/** Columns of CSV: each has a header, and reads its cell of an item. */
export type CsvColumns<Item> = readonly (readonly [header: string, cell: CellReader<Item>])[];
type CellReader<Item> = (item: Item) => CsvCell;

/** Null is an empty cell. */
export type CsvCell = string | number | boolean | null;

/** The columns that only repeat the members of these names. */
export function plainColumns<Item extends object>(
  ...names: readonly { [K in keyof Item]: Item[K] extends CsvCell ? K & string : never }[keyof Item][]
): CsvColumns<Item> {
  return names.map((name) => [name, (item) => item[name] as CsvCell]);
}

/** Several values in one cell. */
export function listCell(values: readonly string[]): string {
  return values.join('; ');
}
