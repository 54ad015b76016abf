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
  /^(?:[./]{0,2}[a-z][a-z0-9_./-]{2,}|[A-Z][A-Z0-9_.-]{2,}|[A-Z][a-z]{2,}(?=\s)|\d+(?=\s+[a-z]))(?:\s+[\w./:|"'=+-]+)*$/;

/** These signs alone tell: of the shortest keys fewer than one in 10^7 of any printable characters has them by chance. */
const TEMPLATE = /^\$?\{\{.*\}\}$/s;
/** A variable with a value in its absence: `${NAME:-value}`, `${NAME:?is missing}`. */
const DEFAULTED = /^\$\{(?:[a-z][a-z0-9_]{2,}|[A-Z][A-Z0-9_]{2,}):?[-?=+].*\}$/s;
/** `$NAME`, also where a program does not know it. */
const VARIABLE = /^\$[A-Z][A-Z0-9_]+$/;

/** A command without such signs: words, one of them an option. */
const COMMAND = /^(?=.*\s--?[a-z])[a-z][\w./-]*(?:\s+[\w./:|"'=+-]+)+$/;
/** Where a platform would have read the key: a file, a URL, the name of a secret. Random words with signs between them have no slash. */
const PLACES = [
  /^\/(?:app|config|etc|home|mnt|opt|root|run|secrets?|srv|tmp|usr|var)\/[\w./-]+$/,
  /^[a-z][a-z0-9+.-]+:\/\/[\w./-]{3,}/,
  /^(?:vault|secret|env|file|ssm):\S*[/#]/,
  /^(?:arn:aws|@Microsoft\.KeyVault\(|projects\/[\w-]+\/secrets\/)/,
];

/**
 * Whether a text is the placeholder of a value: `$(openssl rand -hex 32)` in a file that no shell reads is the same key
 * for everybody. Files of settings keep the quotes around it.
 */
export function isUnexpanded(given: string): boolean {
  const text = given.trim().replace(/^(["'])(.*)\1$/s, '$2');
  return (
    [TEMPLATE, DEFAULTED, VARIABLE, COMMAND, ...PLACES].some((form) => form.test(text)) ||
    AROUND_NAMES.some(
      ([start, end]) =>
        text.startsWith(start) &&
        text.endsWith(end) &&
        NAME_OR_WORDS.test(text.slice(start.length, -end.length).trim()),
    )
  );
}
