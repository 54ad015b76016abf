import type { Json } from '../../../api-client.ts';
import { formOf, png, type Part } from '../../../factories/evidence.ts';

/** An operation of the published document, as far as the player reads it. */
interface Operation {
  operationId: string;
  parameters: { name: string; in: string; example?: unknown }[];
  requestBody?: {
    required: boolean;
    content: Record<string, { example?: unknown; schema: { $ref: string } }>;
  };
  responses: Record<string, unknown>;
}
export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: Record<string, { format?: string }> }> };
}

interface Played<T = Json> {
  status: number;
  headers: Headers;
  body: T;
}

interface Player {
  /**
   * Sends the example of an operation with these headers; throws unless the answer is a documented success. From then on
   * the `id` of the answer stands in the place of `printed`, if that is given.
   */
  play<T = Json>(operationId: string, headers: Record<string, string>, printed?: unknown): Promise<Played<T>>;
  /** From now on the value stands in the place of the one that examples print. */
  put(printed: unknown, actual: unknown): void;
  /** The operations that have been played, with the JSON of their last answer. */
  played: ReadonlyMap<string, unknown>;
}

/** Plays the examples of a document, as it prints them, against a running system. */
export function createPlayer(document: OpenApiDocument, baseUrl: string): Player {
  const values = new Map<unknown, unknown>();
  const played = new Map<string, unknown>();
  return {
    played,
    put: (printed, actual) => void values.set(printed, actual),
    play: async <T>(operationId: string, headers: Record<string, string>, printed?: unknown) => {
      const { method, path, operation } = findOperation(document, operationId);
      const url = baseUrl + fillIn(path, operation, values);
      const answer = await fetch(url, { method, ...contentOf(operation, document, values, headers) });
      const text = await answer.text();
      if (!answer.ok || !(String(answer.status) in operation.responses)) {
        throw new Error(`${operationId} was answered ${answer.status}: ${text.slice(0, 2_000)}`);
      }
      const isJson = answer.headers.get('content-type')?.includes('json') && text !== '';
      const body = (isJson ? JSON.parse(text) : undefined) as T;
      if (printed !== undefined) values.set(printed, (body as Json)['id']);
      played.set(operationId, inPrint(body, values));
      return { status: answer.status, headers: answer.headers, body };
    },
  };
}

function findOperation(document: OpenApiDocument, operationId: string) {
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      if (operation.operationId === operationId) return { method: method.toUpperCase(), path, operation };
    }
  }
  throw new Error(`the document has no operation ${operationId}`);
}

type Values = ReadonlyMap<unknown, unknown>;

function fillIn(path: string, { parameters }: Operation, values: Values): string {
  const valueOf = (example: unknown) => String(values.get(example) ?? example);
  const given = parameters.filter(({ example }) => example !== undefined);
  const filled = given
    .filter((parameter) => parameter.in === 'path')
    .reduce((url, { name, example }) => url.replace(`{${name}}`, encodeURIComponent(valueOf(example))), path);
  const query = given.filter((parameter) => parameter.in === 'query');
  const text = new URLSearchParams(
    query.map(({ name, example }): [string, string] => [name, valueOf(example)]),
  ).toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** Headers and body of the request. JSON comes first where an operation takes a form too. */
function contentOf(
  { requestBody }: Operation,
  document: OpenApiDocument,
  values: Values,
  headers: Record<string, string>,
): RequestInit {
  const { 'application/json': json, 'multipart/form-data': form } = requestBody?.content ?? {};
  if (json?.example !== undefined) {
    const body = JSON.stringify(withActual(json.example, values));
    return { headers: { ...headers, 'Content-Type': 'application/json' }, body };
  }
  if (form?.example === undefined) return { headers };
  const { properties = {} } = document.components.schemas[form.schema.$ref.split('/').at(-1) ?? ''] ?? {};
  return { headers, body: formBody(form.example as FormExample, properties) };
}

type FormExample = Readonly<Record<string, string | string[]>>;

function formBody(example: FormExample, properties: Record<string, Json>): FormData {
  const isFile = (name: string) => JSON.stringify(properties[name]).includes('"binary"');
  const parts = Object.entries(example).flatMap(([name, values]) =>
    [values].flat().map((value) => ({ name, value })),
  );
  const texts = parts.filter(({ name }) => !isFile(name)).map(({ name, value }) => [name, value]);
  const files = parts.filter(({ name }) => isFile(name)).map(({ name, value }) => filePart(name, value));
  return formOf(Object.fromEntries(texts) as Record<string, string>, files);
}

/** An image is given by its name, every other file by its text. */
function filePart(name: string, value: string): Part {
  if (value.endsWith('.png')) return { name, fileName: value, content: png() };
  return { name, fileName: 'file.csv', content: Buffer.from(value) };
}

/** The example with the values of this system. */
function withActual(example: unknown, values: Values): unknown {
  const text = JSON.stringify(example, (_, value: unknown) => values.get(value) ?? value);
  return JSON.parse(text);
}

/** Secrets as answers print them. */
const SECRETS: Readonly<Record<string, string>> = {
  apiKey: 'wb_sandbox_<key>',
  webhookSecret: 'whsec_<secret>',
  token: '<token>',
  accessToken: '<access token>',
  refreshToken: '<refresh token>',
};

/** The answer with the values that examples print, without secrets, and with one item of each list. */
function inPrint(body: unknown, values: Values): unknown {
  if (body === undefined) return undefined;
  const shortened = JSON.stringify(body, (key, value: unknown) => {
    if (typeof value === 'string') return SECRETS[key] ?? value;
    return Array.isArray(value) ? value.slice(0, 1) : value;
  });
  const withoutTokens = shortened.replaceAll(/(\?token=|\/files\/)[\w-]+/g, '$1<token>');
  const printed = [...values].reduce(
    (text, [print, actual]) =>
      typeof actual === 'string' ? text.replaceAll(JSON.stringify(actual).slice(1, -1), String(print)) : text,
    withoutTokens,
  );
  return JSON.parse(printed);
}
