/** The Latin sounds that an Arabic or Hebrew letter may stand for, with their costs: `letter: sound cost …`. */
const LETTERS: Record<string, string> = {
  ب: 'b0 p.1 v.3',
  پ: 'p0 b.2',
  ت: 't0 T.2 d.4',
  ث: 'T0 s.05 t.2',
  ج: 'J0 g.1 z.4 C.3',
  چ: 'C0 S.3 J.3',
  ح: 'h0 X.4',
  خ: 'X0 k.15 h.2 G.4',
  د: 'd0 t.4',
  ذ: 'D0 z.05 d.1 T.2',
  ر: 'r0',
  ز: 'z0 s.3',
  ژ: 'J0 z.2',
  س: 's0 z.3 T.4 Z.3',
  ش: 'S0 s.3',
  ص: 's0 z.4',
  ض: 'd0 z.1 D.05',
  ط: 't0 d.4',
  ظ: 'z0 D.05 d.1',
  ع: 'a0 i.05 u.05 e.05 o.05',
  غ: 'G0 g.05 k.3 q.2',
  ف: 'f0 v.1 p.3',
  ق: 'k0 g.1 G.2',
  ك: 'k0 g.2',
  گ: 'g0 G.2 k.2 J.4',
  ل: 'l0',
  م: 'm0',
  ن: 'n0 m.4',
  ه: 'h0 a.1 e.1',
  و: 'w0 v.05 u0 o0 U0',
  ي: 'y0 i0 I0 e.1 a.5',
  ة: 'a0 t.05 h.1 e.05',
  ا: 'a0 e.15 i.25 u.25 o.2',
  א: 'a0 e.05 i.1 o.1 u.1',
  ב: 'b0 v0',
  ג: 'g0 J.1 G.1',
  ד: 'd0 D.1',
  ה: 'h0 a.05 e.05',
  ו: 'v0 o0 u0 w0 U0',
  ז: 'z0 J.1',
  ח: 'h0 X0 C.05',
  ט: 't0',
  י: 'y0 i0 I0 e.05 J.1',
  כ: 'k0 X0 C.1',
  ל: 'l0',
  מ: 'm0',
  נ: 'n0',
  ס: 's0',
  ע: 'a0 e.05 i.1 o.05',
  פ: 'p0 f0',
  צ: 'Z0 s.15 z.1 C.15',
  ק: 'k0 g.3',
  ר: 'r0',
  ש: 'S0 s.05',
  ת: 't0 T0 s.2',
};
/** The cost of a letter that is not heard at all. */
const SILENT: Record<string, number> = {
  ع: 0.1,
  ا: 0.35,
  ه: 0.35,
  ة: 0.05,
  ي: 0.5,
  و: 0.5,
  א: 0.1,
  ע: 0.1,
  ה: 0.2,
  י: 0.4,
  ו: 0.5,
};
const SHORT_VOWEL = 0.06;
/** Vowels written ou, oo or ee in Latin are hardly ever left out. */
const LONG_VOWEL = 0.3;
const SECOND_VOWEL = 0.4;
const WEAK_SOUND = 0.4;
const MAX_LETTERS = 40;

const ALPHABET = new Map(Object.keys(LETTERS).map((letter, number) => [letter, number]));
const UNKNOWN = ALPHABET.size;
const SOUND_CODES = 128;
const heardCosts = heardCostTable();
const silentCosts = Float64Array.from([...ALPHABET.keys()], (letter) => SILENT[letter] ?? 1);
const rows = [new Float64Array(MAX_LETTERS + 1), new Float64Array(MAX_LETTERS + 1)] as const;

function heardCostTable(): Float64Array {
  const costs = new Float64Array((UNKNOWN + 1) * SOUND_CODES).fill(1);
  for (const [letter, number] of ALPHABET) {
    for (const sound of (LETTERS[letter] ?? '').split(' ')) {
      costs[number * SOUND_CODES + sound.charCodeAt(0)] = Number(`0${sound.slice(1)}`);
    }
  }
  return costs;
}

/**
 * The cost of reading a vowelless word (Arabic or Hebrew letters) as the Latin word with these sounds, in which U and I
 * are long vowels. Adding short vowels costs little, leaving out written long vowels costs more. Infinity as soon as the
 * cost must exceed `limit`.
 */
export function abjadDistance(letters: string, sounds: string, limit = Infinity): number {
  const right = sounds.replaceAll('N', 'ng').slice(0, MAX_LETTERS);
  const added = Float64Array.from(right, (_, column) => unwritten(right, column));
  let last: Float64Array = rows[0];
  let current: Float64Array = rows[1];
  last[0] = 0;
  for (let column = 0; column < right.length; column++)
    last[column + 1] = (last[column] ?? 0) + (added[column] ?? 0);
  for (let row = 0; row < Math.min(letters.length, MAX_LETTERS); row++) {
    const letter = ALPHABET.get(letters.charAt(row)) ?? UNKNOWN;
    const silent = silentCosts[letter] ?? 1;
    let least = (last[0] ?? 0) + silent;
    current[0] = least;
    for (let column = 0; column < right.length; column++) {
      const change = heardCosts[letter * SOUND_CODES + (right.charCodeAt(column) & 127)] ?? 1;
      const heard = (last[column] ?? 0) + change;
      const unheard = (last[column + 1] ?? 0) + silent;
      const cost = Math.min(heard, unheard, (current[column] ?? 0) + (added[column] ?? 0));
      current[column + 1] = cost;
      if (cost < least) least = cost;
    }
    if (least > limit) return Infinity;
    [last, current] = [current, last];
  }
  return last[right.length] ?? Infinity;
}

/** The cost of a sound without a letter. */
function unwritten(sounds: string, index: number): number {
  const sound = sounds.charAt(index);
  if ('aeiou'.includes(sound)) {
    return index > 0 && 'aeiou'.includes(sounds.charAt(index - 1)) ? SECOND_VOWEL : SHORT_VOWEL;
  }
  if (sound === 'U' || sound === 'I') return LONG_VOWEL;
  return sound === 'h' || sound === 'y' || sound === 'w' ? WEAK_SOUND : 1;
}
