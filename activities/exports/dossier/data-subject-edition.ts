import { listFiles } from '../../../db/verifications/stored-files.ts';
import {
  claimOfSubject,
  transactionOfSubject,
  verificationOfSubject,
  walletOfSubject,
} from '../../../domain/exports/dossier/data-subject-view.ts';
import type { DossierEdition } from './edition.ts';

/** For the customer. The law forbids to let a customer know of a suspicion, so it names what is in it and nothing else. */
export const DATA_SUBJECT_EDITION: DossierEdition = {
  notice:
    'The data of this customer that is processed to accompany transfers. The data of other persons is left out, and so is what ' +
    'may not be disclosed by law.',
  transaction: async (_db, { open, parties, claims }) =>
    await Promise.resolve({
      ...transactionOfSubject(open.record, parties),
      claims: claims.map(claimOfSubject),
    }),
  verification: async ({ pool }, open) => verificationOfSubject(open.record, await listFiles(pool, open)),
  wallet: walletOfSubject,
};
