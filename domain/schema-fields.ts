import { z } from 'zod';

/** A non-empty text in requests. */
export const text = (maxLength: number) => z.string().min(1).max(maxLength);

/** A field of a PATCH: absent leaves it unchanged, null clears it. */
export const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

/** A setting as it is shown, with its default. */
export const setting = <S extends z.ZodType>(schema: S, fallback: z.output<S>, description: string) =>
  schema.meta({ description, default: fallback });

/** A setting in a PATCH: absent leaves it unchanged, null returns it to its default. */
export function resettable<S extends z.ZodType>(schema: S, shownSetting: z.ZodType) {
  const { description, default: fallback } = shownSetting.meta() ?? {};
  const text = `${description} Null: the default, ${JSON.stringify(fallback)}.`;
  return schema.nullable().optional().describe(text);
}

/** A text in responses; null if it has no value. */
export const shown = z.string().nullable();

/** An asset ticker. It is shown to operators, so it must not contain anything else. */
export const Asset = z
  .string()
  .regex(/^[A-Za-z0-9$][A-Za-z0-9.$_+-]{0,31}$/, 'an asset ticker of at most 32 characters is expected');
export const Address = text(256);
export const Tag = text(128);
export const Blockchain = text(64);
export const Metadata = text(2_000);
