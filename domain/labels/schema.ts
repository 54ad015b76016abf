import { z } from 'zod';

/** The source of the labels that come with the product; no import may take its name. */
export const BUNDLED_SOURCE = 'bundled';

/** What an operator calls a file of labels; the next file of the same name takes its place. */
export const SourceName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/,
    '1 to 64 of a-z, 0-9, dot, hyphen and underscore are expected',
  );

export const LabelSource = z
  .strictObject({
    source: z.string(),
    isBundled: z.boolean().describe('Came with the product.'),
    version: z
      .string()
      .nullable()
      .describe(
        'Bundled: the first digits of the hash of its file. TagPack: the table of types it was read by.',
      ),
    labels: z.int().min(0),
    importedAt: z.iso.datetime(),
  })
  .meta({ id: 'LabelSource' });
export type LabelSource = z.infer<typeof LabelSource>;

export const LabelImport = LabelSource.extend({
  repeated: z.int().min(0).describe('Rows that said what another one had said.'),
  unusable: z
    .int()
    .min(0)
    .describe("Rows about a token's contract or about an address that nobody owns; left out."),
}).meta({ id: 'LabelImport' });
export type LabelImport = z.infer<typeof LabelImport>;
