import words from '../../data/name-words/person-words.json' with { type: 'json' };

/** Articles, "son of" and the like, which occur in many names and are often left out. */
const PARTICLES = new Set(
  (
    'al el ul ad ar as ash at az an ed ould bin ibn ben bint binti van von der den de del della di da do dos das du la le ' +
    'les los las y e i und zu zum ter ten af av ur ud us uz oglu ogly kyzy qizi zade st san'
  ).split(' '),
);
const HONORIFICS = new Set(words.honorifics.split('|').filter((word) => !/[ -]/.test(word)));
const RELIGIOUS_TITLES =
  'haji hajji hajj hadji sheikh shaikh shaykh sheik cheikh mullah mulla mawlawi maulvi maulavi maulana molla mufti qari hafiz ustad ustaz imam ayatollah sayyid emir amir doctor engineer eng'.split(
    ' ',
  );
const DEGREES_AND_ORDERS = 'dphil llm llb cpa cfa cbe obe mbe kbe kcmg ii iii iv'.split(' ');
const SUFFIXES = new Set([...words.suffixes.split('|'), ...DEGREES_AND_ORDERS]);
const TITLES = new Set([...HONORIFICS, ...RELIGIOUS_TITLES]);
const nicknames = readNicknames();

/** Forms of "servant of", which need the name of God after it to be distinctive. */
export const SERVANT = /^(abd|abdu|abdul|abdel|abdal|abdol|abdoul|abdil)$/;
/** "Abdulrahman", "Abdurrahman", "Abdelaziz": two parts in one word. Not "Abdullah". */
export const GLUED_SERVANT = /^abd[aeou]u?[lr](?!l?ah)(?=.{4})/;

export function isParticle(word: string): boolean {
  return PARTICLES.has(word);
}

/** Whether the word is a title before the name ("Dr", "Mullah") or a suffix after it ("Jr"). */
export function isTitle(word: string, place: 'before' | 'after'): boolean {
  return place === 'before' ? TITLES.has(word) : SUFFIXES.has(word);
}

/** Whether two words are forms of one given name, such as "Ted" and "Theodore", or two short forms. */
export function areNicknames(left: string, right: string): boolean {
  const group = nicknames.get(left);
  return group !== undefined && group.has(right);
}

function readNicknames(): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  for (const names of words.nicknames.split('; ').map((group) => group.split('|'))) {
    for (const name of names) {
      const others = groups.get(name) ?? new Set<string>();
      for (const other of names) if (other !== name) others.add(other);
      groups.set(name, others);
    }
  }
  return groups;
}
