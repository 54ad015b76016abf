import { types } from 'node:util';
import { pino, type DestinationStream, type Logger } from 'pino';

/** Names of fields and headers, in small letters, whose values are never logged, however deep they sit. */
const SECRETS = new Set([
  'accesstoken',
  'apikey',
  'authorization',
  'cookie',
  'key',
  'masterkey',
  'operatorkey',
  'password',
  'refreshtoken',
  'secret',
  'signature',
  'token',
  'webhooksecret',
  'x-api-key',
  'x-operator-key',
  'x-partner-api-key',
]);
const DEPTH_LIMIT = 5;

/** What may be told of an error: driver and parser messages quote the values that they failed on, so no message. */
interface SafeError {
  name: string;
  code?: string;
  stack: string[];
  cause?: SafeError;
}

/**
 * The root log of a process: JSON lines to standard output, errors without values, secrets redacted in what is logged
 * (not in the bindings of `child`, which are ids).
 */
export function createLog(name: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { name },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label: string) => ({ level: label }),
      log: (fields: object) => withoutSecrets(fields),
    },
    serializers: { err: safeError, error: safeError },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** By name at any depth; pino's own redaction takes paths, and so many of them cost a seventh of a request. */
function withoutSecrets(fields: object, depth = 0): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => {
    const hidden = SECRETS.has(name.toLowerCase());
    return [name, hidden ? '[redacted]' : withoutSecretsInside(value, depth + 1)];
  });
  return Object.fromEntries(entries) as Record<string, unknown>;
}

function withoutSecretsInside(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEPTH_LIMIT) return '[deep]';
  if (Array.isArray(value)) return value.map((item) => withoutSecretsInside(item, depth + 1));
  return Object.getPrototypeOf(value) === Object.prototype ? withoutSecrets(value, depth) : value;
}

/** Name, code and stack lines of an error and of its causes. */
function safeError(error: unknown): SafeError {
  if (!types.isNativeError(error)) return { name: typeof error, stack: [] };
  const code: unknown = Reflect.get(error, 'code');
  return {
    name: error.name,
    ...(typeof code === 'string' && { code }),
    stack: stackLines(error),
    ...(types.isNativeError(error.cause) && { cause: safeError(error.cause) }),
  };
}

const CALL_SITE = /^ {4}at .*(:\d+:\d+|<anonymous>|native)\)?$/;

/** The stack begins with the message, which may have several lines: only the call sites are kept. */
function stackLines(error: Error): string[] {
  const lines = error.stack?.split('\n') ?? [];
  return lines.filter((line) => CALL_SITE.test(line)).map((line) => line.trim());
}
