/** The columns that an import file fills, common to staged rows and the directory. */
export const PROFILE_COLUMNS = [
  'name',
  'name_folded',
  'legal_name',
  'aliases',
  'type',
  'countries',
  'webpage',
  'email',
  'lei',
  'registration_number',
  'travel_address',
  'networks',
];
