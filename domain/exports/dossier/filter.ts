import { z } from 'zod';
import { text } from '../../schema-fields.ts';

/** AUTHORITY: everything. DATA_SUBJECT: the customer's own data alone, without anything that would tip off. */
export const DOSSIER_PURPOSES = ['AUTHORITY', 'DATA_SUBJECT'] as const;
export type DossierPurpose = (typeof DOSSIER_PURPOSES)[number];

/** Whose dossier it is. */
export const DossierFilter = z
  .strictObject({
    customerIdentification: text(200).describe(
      'The customer, as in transactions and verifications. Stored encrypted.',
    ),
  })
  .meta({ id: 'DossierFilter' });
