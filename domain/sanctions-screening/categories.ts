import type { ListEntry } from '../sanctions/list-entry.ts';

/**
 * What a programme is about, by the code or name that lists give it; the first that fits counts. A change here changes
 * answers, and so ENGINE_VERSION.
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

/** `sanction`, the kind of subject, and what the programmes are about; each once. */
export function categoriesOf({ type, programs }: Pick<ListEntry, 'type' | 'programs'>): string[] {
  const topics = TOPICS.filter(([, programme]) => programs.some((code) => programme.test(code)));
  return ['sanction', type, ...topics.map(([category]) => category)];
}
