import { z } from 'zod';
import { resettable, setting } from '../schema-fields.ts';

/** The pictures of a tenant. */
export const BRANDING_KINDS = ['logo', 'icon'] as const;
export type BrandingKind = (typeof BRANDING_KINDS)[number];

/** The media types of logo and icon. Pages show the name in place of a PDF. */
const BRANDING_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;

/** A stored logo or icon. */
export const BrandingFile = z
  .strictObject({
    id: z.uuid(),
    fileName: z.string().describe('File name given by the sender.'),
    mimeType: z.enum(BRANDING_TYPES).describe('Media type, detected from the content.'),
    size: z.int().describe('The size in bytes, as it was sent.'),
    sha256: z.string().describe('SHA-256 of the content as it was sent, in hex.'),
    uploadedAt: z.iso.datetime(),
  })
  .meta({ id: 'BrandingFile' });
export type BrandingFile = z.infer<typeof BrandingFile>;

/** Whether pages can show the file. */
export function isPicture(file: BrandingFile | null | undefined): boolean {
  return file ? file.mimeType !== 'application/pdf' : false;
}

const NAME_LENGTH = 100;
const ORIGINS = 20;

/** Control characters, and those that turn the direction of the text around them. */
const UNSEEN = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

const DisplayName = z
  .string()
  .max(NAME_LENGTH)
  .transform((given) => given.trim())
  .refine((name) => /[\p{L}\p{N}]/u.test(name) && !UNSEEN.test(name), {
    error: 'A name of one line with at least one letter or digit is expected.',
    params: { code: 'invalid_characters' },
  });

const Color = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'A colour such as #0a4d8c is expected.')
  .toLowerCase();

/** Nothing else may stand in a Content-Security-Policy: no wildcard, no path, nothing that ends the directive. */
const ORIGIN = /^(?:https:\/\/(?:[a-z0-9-]+\.)*[a-z0-9-]+|http:\/\/(?:localhost|127\.0\.0\.1))(?::\d{1,5})?$/;

const FrameOrigin = z
  .string()
  .max(300)
  .refine((given) => ORIGIN.test(given) && URL.canParse(given) && new URL(given).origin === given, {
    error:
      'Scheme, host and port are expected, such as https://app.example, in small letters and without a usual port.',
    params: { code: 'invalid_origin' },
  });

export const BRANDING_DEFAULTS = {
  displayName: null,
  color: null,
  logo: null,
  icon: null,
  frameOrigins: [] as string[],
};

/** How pages for a tenant's customers look, and which sites may show them in a frame. */
export const Branding = z.strictObject({
  displayName: setting(
    z.string().nullable(),
    BRANDING_DEFAULTS.displayName,
    'The name at the head of the hosted page. The page also names the tenant.',
  ),
  color: setting(
    z.string().nullable(),
    BRANDING_DEFAULTS.color,
    'The colour of the hosted page: # and six hexadecimal digits.',
  ),
  logo: setting(
    BrandingFile.nullable(),
    BRANDING_DEFAULTS.logo,
    'The picture at the head of the hosted page; `POST /tenant/me/settings/logo` stores one.',
  ),
  icon: setting(
    BrandingFile.nullable(),
    BRANDING_DEFAULTS.icon,
    'The picture that browsers show beside the title of the hosted page; `POST /tenant/me/settings/icon` stores one.',
  ),
  frameOrigins: setting(
    z.array(z.string()),
    BRANDING_DEFAULTS.frameOrigins,
    'The web origins whose pages may show the hosted page in a frame: https, or http on the local machine.',
  ),
});
export type Branding = z.infer<typeof Branding>;

const { displayName, color, logo, icon, frameOrigins } = Branding.shape;

export const PatchBranding = z.strictObject({
  displayName: resettable(DisplayName, displayName),
  color: resettable(Color, color),
  logo: removable(logo),
  icon: removable(icon),
  frameOrigins: resettable(
    z
      .array(FrameOrigin)
      .max(ORIGINS)
      .transform((origins) => [...new Set(origins)]),
    frameOrigins,
  ),
});

/** A file in a PATCH, which can only remove it. */
function removable(shownSetting: z.ZodType) {
  return z
    .null()
    .optional()
    .describe(`${shownSetting.meta()?.description ?? ''} Null: removes the file.`);
}

/** What a tenant has chosen of its branding. */
export type StoredBranding = {
  [K in keyof Branding]?: NonNullable<Branding[K]>;
};
