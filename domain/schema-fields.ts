import { z } from 'zod';

/** A text of a request that is not empty. */
export const text = (maxLength: number) => z.string().min(1).max(maxLength);

/** A field of a PATCH: absent leaves it as it is, null clears it. */
export const clearable = <S extends z.ZodType>(schema: S) => schema.nullable().optional();

/** A text of an answer, null when there is nothing to show. */
export const shown = z.string().nullable();

/** A ticker: shown to operators, so it can hold nothing but a ticker. */
export const Asset = z
  .string()
  .regex(/^[A-Za-z0-9$][A-Za-z0-9.$_+-]{0,31}$/, 'an asset ticker of at most 32 characters is expected');
export const Address = text(256);
export const Tag = text(128);
export const Blockchain = text(64);
export const Metadata = text(2_000);
