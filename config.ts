import { readFileSync } from 'node:fs';
import { z } from 'zod';

const flag = z.enum(['true', 'false', '1', '0']).transform((text) => text === 'true' || text === '1');
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
);
const port = z.coerce.number().int().min(0).max(65_535);
const perMinute = z.coerce.number().int().min(0);

/** Every setting, by the name of its environment variable; NAME_FILE reads the value from a file instead. */
const Settings = z.object({
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: port.default(3000),
  METRICS_PORT: port.optional(),
  WAYBILL_HOME: z.string().min(1).default('.waybill'),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(16),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d+$/, 'host:port is expected')
    .optional(),
  TEMPORAL_NAMESPACE: z.string().min(1).default('waybill'),
  TEMPORAL_UI_URL: z.url().optional(),
  MASTER_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hex characters are expected (openssl rand -hex 32)')
    .optional(),
  MASTER_KEY_PREVIOUS: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, '64 hex characters are expected')
    .optional(),
  OPERATOR_KEY: z.string().min(16).optional(),
  ENVIRONMENT: z.enum(['sandbox', 'production']).default('sandbox'),
  PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  WALLET_URL: z.url({ protocol: /^https?$/ }).optional(),
  WEBHOOK_ALLOWED_HOSTS: list.default([]),
  PRICES_URL: z.url({ protocol: /^https?$/ }).optional(),
  CORS_ORIGINS: list.default([]),
  TRUST_PROXY: flag.default(false),
  RATE_LIMIT_READS: perMinute.default(12_000),
  RATE_LIMIT_WRITES: perMinute.default(6_000),
  RATE_LIMIT_SCREENING: perMinute.default(1_200),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
});

export type Config = z.infer<typeof Settings>;
type Environment = Record<string, string | undefined>;

/** A setting that cannot be used; the message names it and says what is expected. */
class ConfigError extends Error {}

/** Reads and checks the settings once. An empty variable counts as absent. Throws ConfigError. */
export function readConfig(env: Environment = process.env): Config {
  const given = Object.fromEntries(
    Object.keys(Settings.shape).map((name) => [name, valueOf(name, env)] as const),
  );
  const parsed = Settings.safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('\n'),
    );
  }
  return parsed.data;
}

function valueOf(name: string, env: Environment): string | undefined {
  const file = env[`${name}_FILE`];
  if (!file) return env[name] || undefined;
  if (env[name]) throw new ConfigError(`${name}: set either ${name} or ${name}_FILE, not both`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new ConfigError(`${name}_FILE: the file ${file} cannot be read`);
  }
}

/** What a process of its own (api, worker, migrate) cannot do without. Throws ConfigError naming what is missing. */
export function requireSettings<K extends keyof Config>(
  config: Config,
  names: readonly K[],
): Config & { [P in K]: NonNullable<Config[P]> } {
  const missing = names.filter((name) => config[name] === undefined);
  if (missing.length > 0) {
    throw new ConfigError(missing.map((name) => `${name}: is required`).join('\n'));
  }
  return config as Config & { [P in K]: NonNullable<Config[P]> };
}

/** Runs a process entry: a wrong setting prints one clear line per fault and exits 1 before anything starts. */
export async function withConfig<T>(use: (config: Config) => Promise<T>): Promise<T> {
  try {
    return await use(readConfig());
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
