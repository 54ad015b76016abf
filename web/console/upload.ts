import { apiUrl, Refusal, renewed, requestHeaders, type Problem } from './exchange.ts';

/**
 * Sends a form and says how much of it is sent; `fetch` cannot tell that. A session that has ended is renewed first. Throws
 * Refusal.
 */
export async function upload(
  path: string,
  form: FormData,
  onProgress: (share: number) => void,
): Promise<unknown> {
  const headers = requestHeaders('POST');
  let answer = await sendOnce(path, form, { headers, onProgress });
  if (answer.status === 401) {
    await renewed();
    answer = await sendOnce(path, form, { headers, onProgress });
  }
  if (answer.status < 300) return JSON.parse(answer.responseText) as unknown;
  throw new Refusal(problemOf(answer));
}

interface UploadOptions {
  headers: Readonly<Record<string, string>>;
  onProgress: (share: number) => void;
}

async function sendOnce(
  path: string,
  form: FormData,
  { headers, onProgress }: UploadOptions,
): Promise<XMLHttpRequest> {
  const request = new XMLHttpRequest();
  request.open('POST', apiUrl(path));
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.addEventListener('progress', ({ loaded, total }) =>
    onProgress(total === 0 ? 1 : loaded / total),
  );
  return await new Promise((resolve, reject) => {
    request.addEventListener('load', () => resolve(request));
    request.addEventListener('error', () => reject(new Refusal(null)));
    request.send(form);
  });
}

function problemOf({ responseText }: XMLHttpRequest): Problem | null {
  try {
    return JSON.parse(responseText) as Problem;
  } catch {
    return null;
  }
}
