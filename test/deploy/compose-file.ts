import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { projectRoot } from '../../standalone/project-root.ts';

const Text = z.coerce.string();

/** What of a service the tests look at. Written so that a spelling which would slip through is a fault here. */
const Service = z.strictObject({
  image: z.string(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  user: z.string().optional(),
  init: z.boolean().optional(),
  read_only: z.boolean(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  logging: z.unknown(),
  environment: z.record(z.string(), Text).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  shm_size: z.string().optional(),
  networks: z.array(z.string()),
  ports: z.array(z.string()).default([]),
  depends_on: z
    .record(
      z.string(),
      z.strictObject({ condition: z.enum(['service_healthy', 'service_completed_successfully']) }),
    )
    .default({}),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
  restart: z.string(),
  stop_grace_period: z.string().optional(),
});

const Compose = z.object({
  name: z.string(),
  services: z.record(z.string(), Service),
  networks: z.record(z.string(), z.strictObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
});

export type ComposeFile = z.infer<typeof Compose>;
export type ComposeService = z.infer<typeof Service>;

export const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

/** Reads YAML as Compose does, merges (`<<`) included. */
export const readYaml = (path: string): unknown => parse(read(path), { merge: true });

/** docker-compose.yml as Compose sees it with these variables in .env. */
export function composeFile(variables: Record<string, string> = {}): ComposeFile {
  return Compose.parse(interpolate(readYaml('docker-compose.yml'), variables));
}

export function service(file: ComposeFile, name: string): ComposeService {
  const found = file.services[name];
  if (!found) throw new Error(`there is no service ${name}`);
  return found;
}

/** The names of the variables that docker-compose.yml takes from .env. */
export function variablesOfComposeFile(): string[] {
  const found = read('docker-compose.yml').matchAll(/(?<!\$)\$\{(\w+)/g);
  return [...new Set([...found].map(([, name = '']) => name))].toSorted();
}

/** `${NAME:-default}` is the only form in use; `$$` is a dollar sign. */
function interpolate(value: unknown, variables: Record<string, string>): unknown {
  if (typeof value === 'string') return interpolateText(value, variables);
  if (Array.isArray(value)) return value.map((each) => interpolate(each, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, interpolate(each, variables)] as const),
  );
}

function interpolateText(text: string, variables: Record<string, string>): string {
  const known = /\$(?:\$|\{(\w+):-([^}]*)\})/g;
  if (text.replaceAll(known, '').includes('$')) throw new Error(`a variable of an unknown form: ${text}`);
  return text.replaceAll(known, (_, name: string | undefined, otherwise: string) =>
    name === undefined ? '$' : variables[name] || otherwise,
  );
}
