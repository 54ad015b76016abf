/**
 * Rules from Latin spelling to sounds, one character each: S is sh, C is ch, J is j or zh, X is kh, G is gh, T is th, D is
 * dh, Z is ts, N is ng. Doubled letters become one.
 */
const SPELLINGS: readonly [RegExp, string][] = [
  [/tsch|tch|shch|ch|cz/g, 'C'],
  [/sch|sh/g, 'S'],
  [/dzh|zh|dj/g, 'J'],
  [/kh/g, 'X'],
  [/gh/g, 'G'],
  [/th/g, 'T'],
  [/dh/g, 'D'],
  [/ts|tz/g, 'Z'],
  [/ng/g, 'N'],
  [/ph/g, 'f'],
  [/qu(?=[ei])/g, 'k'],
  [/ck|q|c/g, 'k'],
  [/x/g, 'ks'],
  [/oo|ou/g, 'u'],
  [/ee/g, 'i'],
  [/j/g, 'J'],
  [/(.)\1+/g, '$1'],
];

/** The sounds of a Latin word. */
export function soundsOf(text: string): string {
  return SPELLINGS.reduce((sounds, [letters, sound]) => sounds.replace(letters, sound), text);
}

const SKELETON_CLASSES: Record<string, string> = Object.fromEntries(
  ['kkgXGq', 'ppbfv', 'ttdTD', 'sszSCJZ', 'nnN', 'mm', 'rrl', 'hh'].flatMap((group) =>
    Array.from(group.slice(1), (sound) => [sound, group.charAt(0)]),
  ),
);

/** The consonant classes of a word without vowels, equal for a name and its spelling in scripts without vowels or voicing. */
export function skeletonOfSounds(sounds: string): string {
  let skeleton = '';
  for (const sound of sounds) {
    const group = SKELETON_CLASSES[sound];
    if (group !== undefined && !skeleton.endsWith(group)) skeleton += group;
  }
  return skeleton;
}
