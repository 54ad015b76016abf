const WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty'
).split(' ');
const ORDINALS = (
  '_ first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth ' +
  'sixteenth seventeenth eighteenth nineteenth twentieth'
).split(' ');
const TENS: Record<string, number> = {
  thirty: 30,
  forty: 40,
  fourty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const ROMAN = /^(?=.{2})(x{0,3})(ix|iv|v?i{0,3})$/;
const ROMAN_VALUES: Record<string, number> = { i: 1, v: 5, x: 10 };
const values = new Map<string, string>([
  ...WORDS.map((word, value): [string, string] => [word, String(value)]),
  ...ORDINALS.map((word, value): [string, string] => [word, String(value)]),
  ...Object.entries(TENS).map(([word, value]): [string, string] => [word, String(value)]),
]);

/** The digits of a numeral (digits, "2nd", "second", "XIV"); undefined for other words. A single Roman letter is an initial. */
export function numeralOf(word: string): string | undefined {
  const digits = /^0*(\d{1,12})(?:st|nd|rd|th|er|e|a|o)?$/.exec(word)?.[1];
  return digits ?? values.get(word) ?? (ROMAN.test(word) ? String(romanValue(word)) : undefined);
}

function romanValue(word: string): number {
  const numbers = Array.from(word, (letter) => ROMAN_VALUES[letter] ?? 0);
  return numbers.reduce(
    (sum, number, index) => sum + (number < (numbers[index + 1] ?? 0) ? -number : number),
    0,
  );
}
