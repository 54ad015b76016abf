import type { Client } from './tenant.ts';
import { evmAddress } from './transaction.ts';
import type { TestAnswer } from '../api-client.ts';

/** What an upload is answered; of a refusal the problem. */
export interface UploadAnswer {
  id: string;
  total: number;
  created: number;
  confirmed: number;
  skipped: number;
  sanctionedAddresses: string[];
  durationMs: number;
  code?: string;
  detail?: string;
  errors?: { pointer: string; row: number | null; field: string | null; code: string; message: string }[];
}

type Part = [name: string, content: string | Buffer, fileName?: string, type?: string];

/** A form as browsers write it; a part with a file name is a file. */
export function form(parts: readonly Part[], boundary = 'waybill-boundary'): Buffer {
  const pieces = parts.flatMap(([name, content, fileName, type = 'text/csv']) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    fileName === undefined ? '' : `; filename="${fileName}"\r\nContent-Type: ${type}`,
    '\r\n\r\n',
    content,
    '\r\n',
  ]);
  return Buffer.concat([...pieces, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)));
}

export const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=waybill-boundary' };

/** Sends a CSV file as the form that `POST /wallets/upload-csv` expects. */
export async function upload(
  tenant: Client,
  content: string | Buffer,
  headers: Record<string, string> = {},
): Promise<TestAnswer<UploadAnswer>> {
  return await sendForm(tenant, [['file', content, 'wallets.csv']], headers);
}

export async function sendForm(
  tenant: Client,
  parts: readonly Part[],
  headers: Record<string, string> = {},
): Promise<TestAnswer<UploadAnswer>> {
  return await tenant.post<UploadAnswer>('/wallets/upload-csv', form(parts), {
    headers: { ...FORM_TYPE, ...headers },
  });
}

/** A file of this many new Ethereum wallets. */
export function evmFile(count: number): string {
  const rows = Array.from({ length: count }, () => `${evmAddress()},*,Ethereum`);
  return ['address,asset,blockchain', ...rows, ''].join('\n');
}
