import type { ListEntry } from '../sanctions/list-entry.ts';

/**
 * Categories of sanctions programmes, by the code or name of the programme in the lists. A change here changes answers,
 * so raise ENGINE_VERSION.
 */
const TOPICS: readonly [category: string, programme: RegExp][] = [
  ['terrorism', /\b(SDGT|FTO|SDT|NS-PLC|ISIL|AL-?QAIDA|TALIBAN|TERROR\w*)\b/i],
  ['narcotics', /\b(SDNTK?|ILLICIT-DRUGS\S*|NARCO\w*|DRUGS?)\b/i],
  ['cyber', /\b(CYBER\w*)\b/i],
  ['proliferation', /\b(NPWMD|IFSR|MISSILES?|PROLIFERATION|DPRK\d*|CHEMICAL WEAPONS?)\b/i],
  ['organised_crime', /\b(TCO)\b/i],
  ['human_rights', /\b(GLOMAG|MAGNIT|HRIT\S*|HUMAN RIGHTS)\b/i],
  ['corruption', /\b(GLOMAG|CORRUPTION)\b/i],
  ['election_interference', /\b(ELECTION\S*)\b/i],
  ['hostages', /\b(HOSTAGES\S*)\b/i],
];

/** The categories of an entry: `sanction`, its type, and the topics of its programmes. */
export function categoriesOf({ type, programs }: Pick<ListEntry, 'type' | 'programs'>): string[] {
  const topics = TOPICS.filter(([, programme]) => programs.some((code) => programme.test(code)));
  return ['sanction', type, ...topics.map(([category]) => category)];
}
