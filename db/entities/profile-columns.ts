import type { ImportedEntity } from '../../domain/entities/import-row.ts';
import { foldName } from '../../domain/fold.ts';
import { arrayText, type Column } from '../columns.ts';

/** What a file says of an entity: the columns that a staged row and the directory have in common. */
export const PROFILE_COLUMNS: readonly Column<ImportedEntity>[] = [
  { name: 'name', type: 'text', value: ({ name }) => name },
  { name: 'name_folded', type: 'text', value: ({ name }) => foldName(name) },
  { name: 'legal_name', type: 'text', value: ({ legalName }) => legalName },
  { name: 'aliases', type: 'text', cast: 'text[]', value: ({ aliases }) => arrayText(aliases) },
  { name: 'type', type: 'text', value: ({ type }) => type },
  { name: 'countries', type: 'text', cast: 'text[]', value: ({ countries }) => arrayText(countries) },
  { name: 'webpage', type: 'text', value: ({ webpage }) => webpage },
  { name: 'email', type: 'text', value: ({ email }) => email },
  {
    name: 'email_domains',
    type: 'text',
    cast: 'text[]',
    value: ({ emailDomains }) => arrayText(emailDomains),
  },
  { name: 'lei', type: 'text', value: ({ lei }) => lei },
  { name: 'registration_number', type: 'text', value: ({ registrationNumber }) => registrationNumber },
  { name: 'travel_address', type: 'text', value: ({ travelAddress }) => travelAddress },
  { name: 'networks', type: 'text', cast: 'text[]', value: ({ networks }) => arrayText(networks) },
];
