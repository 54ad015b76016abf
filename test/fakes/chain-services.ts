import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a fake answers; the default is what it was told to say. */
export type Trouble =
  'NONE' | 'SILENT' | 'HUGE' | 'ENDLESS' | 'GARBAGE' | 'WRONG_TYPES' | 'REDIRECT' | 'REFUSAL' | 'ERROR';

/** A node or an indexer over a real socket, that can misbehave. */
export interface FakeService {
  url: string;
  /** Requests so far. */
  asked: string[];
  trouble: Trouble;
  /** What each request is answered, unless in trouble. */
  answer: (request: { url: URL; body: string }) => unknown;
  stop: () => Promise<void>;
}

export async function startFakeService(answer: FakeService['answer']): Promise<FakeService> {
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const service: FakeService = {
    url,
    asked: [],
    trouble: 'NONE',
    answer,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    service.asked.push(`${request.url ?? ''} ${body}`);
    reply(service, response, { url: new URL(request.url ?? '/', url), body });
  }
  return service;
}

function reply(service: FakeService, response: ServerResponse, request: { url: URL; body: string }): void {
  const json = (value: unknown) =>
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value));
  switch (service.trouble) {
    case 'NONE':
      json(service.answer(request));
      return;
    case 'SILENT':
      return;
    case 'HUGE':
      json({ status: '1', result: 'x'.repeat(10_000_000) });
      return;
    case 'ENDLESS':
      pour(response);
      return;
    case 'GARBAGE':
      response.end('<html>{"result": "0x');
      return;
    case 'WRONG_TYPES':
      json({ status: 1, result: [{ hash: 5, value: -1 }] });
      return;
    case 'REDIRECT':
      response.writeHead(302, { Location: `${service.url}/elsewhere` }).end();
      return;
    case 'REFUSAL':
      json({ status: '0', message: 'NOTOK', result: 'Max rate limit reached' });
      return;
    case 'ERROR':
      response.writeHead(503).end('{}');
      return;
  }
}

function pour(response: ServerResponse): void {
  const chunk = ' '.repeat(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more);
  };
  more();
}
