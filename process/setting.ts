import { z } from 'zod';

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
export const port = z.coerce.number().int().min(0).max(65_535);
export const webUrl = z.url({ protocol: /^https?$/ });

/** What the operators' page says of a setting beside its default. */
interface SettingMeta {
  /** The unit of a number, or the form of a text; a choice of words needs none. */
  unit?: string;
  description: string;
  /** The default of a setting whose default is not one constant value. */
  otherwise?: string;
}

/** Attaches the text of the operators' page to a setting. */
export function setting<S extends z.ZodType>(schema: S, meta: SettingMeta): S {
  return schema.meta({ ...meta });
}
