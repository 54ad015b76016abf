/** Signs around what a shell, a template or whoever reads a guide replaces, and those at its end. */
const AROUND_NAMES = [
  ['$(', ')'],
  ['${', '}'],
  ['#{', '}'],
  ['%(', ')s'],
  ['{', '}'],
  ['<', '>'],
  ['[', ']'],
  ['[[', ']]'],
  ['`', '`'],
  ['%', '%'],
  ['@', '@'],
] as const;

/** A name in small or in capital letters, or words, such as those of a command: chance hardly makes them between such signs. */
const NAME_OR_WORDS =
  /^(?:[./]{0,2}[a-z][a-z0-9_./-]{2,}|[A-Z][A-Z0-9_.-]{2,}|[A-Z][a-z]{2,}(?=\s))(?:\s+[\w./:|"'=+-]+)*$/;

/** These signs alone tell: of the shortest keys fewer than one in 10^7 of any printable characters has them by chance. */
const TEMPLATE = /^\$?\{\{.*\}\}$/s;
/** A variable with a value in its absence: `${NAME:-value}`, `${NAME:?is missing}`. */
const DEFAULTED = /^\$\{(?:[a-z][a-z0-9_]{2,}|[A-Z][A-Z0-9_]{2,}):?[-?=+].*\}$/s;
/** `$NAME`, also where a program does not know it. */
const VARIABLE = /^\$[A-Z][A-Z0-9_]+$/;

/**
 * Whether a text is the placeholder of a value: `$(openssl rand -hex 32)` in a file that no shell reads is the same key
 * for everybody. Files of settings keep the quotes around it.
 */
export function isUnexpanded(given: string): boolean {
  const text = given.trim().replace(/^(["'])(.*)\1$/s, '$2');
  return (
    [TEMPLATE, DEFAULTED, VARIABLE].some((form) => form.test(text)) ||
    AROUND_NAMES.some(
      ([start, end]) =>
        text.startsWith(start) &&
        text.endsWith(end) &&
        NAME_OR_WORDS.test(text.slice(start.length, -end.length).trim()),
    )
  );
}
