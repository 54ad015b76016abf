import { isWeakKey } from './weak-key.ts';

/** A key for `/operator/*` and the name of the operator who holds it. */
interface OperatorKey {
  name: string;
  key: string;
}

/** The name of whoever calls with OPERATOR_KEY, which has none of its own. */
export const UNNAMED_OPERATOR = 'operator';
/** The shortest operator key. */
export const OPERATOR_KEY_LENGTH = 16;

const NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Reads `name:key,…`. Returns a text of what is wrong, which never contains a key, or the keys. */
export function readOperatorKeys(given: string): OperatorKey[] | string {
  const entries = given.split(',').map((entry) => entry.trim());
  const keys = entries.map((entry) => {
    const [name = '', key = ''] = entry.split(/:(.*)/s, 2);
    return { name: name.trim(), key: key.trim() };
  });
  return faultOf(keys) ?? keys;
}

function faultOf(keys: readonly OperatorKey[]): string | undefined {
  for (const [index, { name, key }] of keys.entries()) {
    // By its place: in an entry that is written the wrong way round, the name is a key.
    const entry = `entry ${index + 1}`;
    if (!NAME.test(name)) return `${entry}: name:key is expected, the name in a-z, 0-9, ., _ and -`;
    if (name === UNNAMED_OPERATOR) return `${entry}: this name is that of OPERATOR_KEY`;
    if (key.length < OPERATOR_KEY_LENGTH || /\s/.test(key))
      return `${entry}: a key of at least ${OPERATOR_KEY_LENGTH} characters without spaces is expected`;
  }
  if (hasRepeats(keys.map(({ name }) => name))) return 'every name may be given once';
  return hasRepeats(keys.map(({ key }) => key)) ? 'every operator needs a key of their own' : undefined;
}

function hasRepeats(values: readonly string[]): boolean {
  return new Set(values).size < values.length;
}

/** The keys of all operators. */
export function operatorKeysOf(settings: {
  OPERATOR_KEY?: string | undefined;
  OPERATOR_KEYS: readonly OperatorKey[];
}): OperatorKey[] {
  const { OPERATOR_KEY: key, OPERATOR_KEYS: named } = settings;
  return key === undefined ? [...named] : [{ name: UNNAMED_OPERATOR, key }, ...named];
}

/** What is wrong with the keys of a deployment together; none of the texts contains a key. */
export function operatorKeyFaults(
  settings: Parameters<typeof operatorKeysOf>[0] & KeysOfDeployment,
): string[] {
  const keys = operatorKeysOf(settings);
  const repeated = hasRepeats(keys.map(({ key }) => key))
    ? ['OPERATOR_KEYS: OPERATOR_KEY has the same key']
    : [];
  if (settings.ENVIRONMENT !== 'production') return repeated;
  const masters = [settings.MASTER_KEY, settings.MASTER_KEY_PREVIOUS].map((master) => master?.toLowerCase());
  return [
    ...repeated,
    ...keys
      .filter(({ key }) => isWeakKey(key))
      .map((weak) => `${settingOf(weak)}: a random key is required in production (openssl rand -hex 32)`),
    ...keys
      .filter(({ key }) => masters.includes(key.toLowerCase()))
      .map((same) => `${settingOf(same)}: in production it must not be a master key, which opens everything`),
  ];
}

interface KeysOfDeployment {
  ENVIRONMENT: 'sandbox' | 'production';
  MASTER_KEY?: string | undefined;
  MASTER_KEY_PREVIOUS?: string | undefined;
}

function settingOf({ name }: OperatorKey): string {
  return name === UNNAMED_OPERATOR ? 'OPERATOR_KEY' : `OPERATOR_KEYS: ${name}`;
}
