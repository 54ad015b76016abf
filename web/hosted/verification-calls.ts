import type { HostedMessage, HostedVerification, StepKind } from './hosted-verification.ts';

/** A refusal of the service. */
export class Refusal extends Error {
  readonly status: number;
  /** The code of the fault, or of the problem where it names no fault. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** No answer came: the connection is lost or the service is away. */
export class NoAnswer extends Error {}

export interface Upload {
  files: readonly File[];
  /** Further parts of the form. */
  parts: Readonly<Record<string, string>>;
  /** Called with the share that is sent, 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** The endpoints of the page. Each throws Refusal or NoAnswer. */
export interface VerificationCalls {
  read: () => Promise<HostedVerification>;
  makeMessage: () => Promise<HostedMessage>;
  prove: (proof: object) => Promise<HostedVerification>;
  proveByFiles: (upload: Upload) => Promise<HostedVerification>;
  submitStep: (kind: StepKind, upload: Upload) => Promise<HostedVerification>;
  /** A picture of the tenant as a data URL; null where there is none. */
  readPicture: (kind: 'logo' | 'icon') => Promise<string | null>;
}

// Relative to the page: a proxy may serve it under any path.
const BASE = 'verification';

export function openVerificationCalls(token: string): VerificationCalls {
  const headers = { 'X-Verification-Token': token };
  const get = async (path: string) => await send(path, { headers });
  const post = async (path: string, body: object) =>
    await send(path, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  const shown = async (answer: Promise<Response>) => (await (await answer).json()) as HostedVerification;
  return {
    read: async () => await shown(get(BASE)),
    prove: async (proof) => await shown(post(`${BASE}/proof`, proof)),
    makeMessage: async () => (await (await post(`${BASE}/message`, {})).json()) as HostedMessage,
    proveByFiles: async (upload) => await sendFiles(`${BASE}/proof`, headers, upload),
    submitStep: async (kind, upload) => await sendFiles(`${BASE}/additional-steps/${kind}`, headers, upload),
    async readPicture(kind) {
      try {
        return await dataUrlOf(await (await get(`${BASE}/branding/${kind}`)).blob());
      } catch (error) {
        if (error instanceof Refusal || error instanceof NoAnswer) return null;
        throw error;
      }
    },
  };
}

async function send(path: string, options: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(path, { ...options, cache: 'no-store' });
  } catch {
    throw new NoAnswer();
  }
  if (answer.ok) return answer;
  throw refusalOf(answer.status, await answer.text());
}

/** With XMLHttpRequest, since fetch does not tell how much of a body is sent. */
async function sendFiles(
  path: string,
  headers: Record<string, string>,
  { files, parts, onProgress, signal }: Upload,
): Promise<HostedVerification> {
  const form = new FormData();
  for (const [name, text] of Object.entries(parts)) form.append(name, text);
  for (const file of files) form.append('files', file);
  const request = new XMLHttpRequest();
  request.open('POST', path);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress(total === 0 ? 0 : loaded / total),
  );
  signal.addEventListener('abort', () => request.abort());
  return await new Promise((resolve, reject) => {
    const lost = () => reject(new NoAnswer());
    request.addEventListener('error', lost);
    request.addEventListener('abort', lost);
    request.addEventListener('load', () => {
      if (request.status === 200) resolve(JSON.parse(request.responseText) as HostedVerification);
      else reject(refusalOf(request.status, request.responseText));
    });
    request.send(form);
  });
}

interface Problem {
  code?: string;
  detail?: string;
  errors?: { code: string; message: string }[];
}

/** A proxy in between answers with something else than the problems of the service. */
function refusalOf(status: number, text: string): Refusal {
  const { code = '', detail = '', errors = [] } = problemIn(text);
  const [fault] = errors;
  return new Refusal(status, fault?.code ?? code, fault?.message ?? detail);
}

function problemIn(text: string): Problem {
  try {
    return (JSON.parse(text) ?? {}) as Problem;
  } catch {
    return {};
  }
}

function dataUrlOf(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('not readable')));
    reader.readAsDataURL(content);
  });
}
