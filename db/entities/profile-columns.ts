/** What a file says of an entity: the columns that a staged row and the directory have in common. */
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
