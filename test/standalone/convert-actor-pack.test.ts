import { readBundled } from '../../domain/entities/read-bundled.ts';
import { convertPack } from '../../standalone/convert-actor-pack.ts';

test('types, countries and sites are taken over; other ids of an actor become duplicates that lead to it', () => {
  const actor = {
    uri: 'one.example',
    jurisdictions: ['MT', 'MT', 'IR'],
    categories: ['defi_dex', 'exchange'],
  };
  const rows = readBundled(
    convertPack({
      actors: [
        {
          ...actor,
          id: 'one',
          label: 'One',
          aliases: ['one_us', 'oneus', 'ONE'],
          context: { legal_name: 'One Ltd' },
        },
        { ...actor, id: 'swap', label: 'Swap', uri: 'no site' },
        { ...actor, id: 'fog', label: 'Fog', categories: ['exchange', 'mixing_service'], jurisdictions: [] },
      ],
    }),
  );
  const shown = rows.map(({ name, type, countries, webpage, aliases, masterSourceId, riskSeverity }) => [
    name,
    type,
    countries.join(),
    webpage,
    aliases.join(),
    masterSourceId,
    riskSeverity,
  ]);
  expect(shown).toEqual([
    ['One', 'exchange', 'MT,IR', 'https://one.example', '', null, 'high'],
    ['Swap', 'dex', 'MT,IR', null, '', null, 'high'],
    ['Fog', 'mixing_service', '', 'https://one.example', '', null, 'high'],
    ['one us', 'exchange', 'MT,IR', 'https://one.example', 'oneus', 'one', 'high'],
  ]);
});
