import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { selfSigned } from '../factories/self-signed.ts';
import { lastingPort } from '../lasting-port.ts';

/** Servers of one test on loopback, ended together. */
export function createReceivers() {
  const ended: (() => Promise<unknown>)[] = [];

  async function started(server: Server, seen: { dials: number }, host?: string) {
    // closeAllConnections knows no connection that is still at its handshake.
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      seen.dials += 1;
      sockets.add(socket);
    });
    const port = await listen(server, host);
    ended.push(async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    });
    return { port, url: `http://127.0.0.1:${port}/hook` };
  }

  return {
    /** What is to be ended as well, before the servers that were started earlier. */
    onEnd: (end: () => Promise<unknown>) => void ended.push(end),

    end: async () => {
      for (const end of ended.splice(0).reverse()) await end();
    },

    /** An HTTP server; `hits` counts the requests, `dials` the connections that reached it. */
    receiver: async (answer: RequestListener, host?: string) => {
      const seen = { hits: 0, dials: 0 };
      const server = createServer((request, response) => {
        seen.hits += 1;
        answer(request, response);
      });
      return { seen, server, ...(await started(server, seen, host)) };
    },

    /** An HTTPS server at hooks.example.com, which `resolve` knows, with a certificate for another name if wanted. */
    tlsReceiver: async (
      name: string,
      validUntil: Date,
      answer: RequestListener = (_request, response) => void response.end(),
    ) => {
      const { key, cert } = selfSigned(name, validUntil);
      const seen = { hits: 0, dials: 0 };
      const server = createTlsServer({ key, cert }, (request, response) => {
        seen.hits += 1;
        answer(request, response);
      });
      server.on('tlsClientError', () => {});
      const { port } = await started(server, seen);
      const resolve = async () => await Promise.resolve(['127.0.0.1']);
      return { cert, seen, port, url: `https://hooks.example.com:${port}/`, resolve };
    },

    /** A server below HTTP: gets the socket once the first bytes of the request have come. Answers `host:port/path`. */
    rawReceiver: async (answer: (socket: Socket) => void): Promise<string> => {
      const sockets = new Set<Socket>();
      const server = createTcpServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => {});
        socket.once('data', () => answer(socket));
      });
      const port = await listen(server);
      ended.push(async () => {
        for (const socket of sockets) socket.destroy();
        server.close();
        await once(server, 'close');
      });
      return `127.0.0.1:${port}/hook`;
    },

    /** A port that nobody listens at, nor an outgoing connection has meanwhile. */
    closedPort: lastingPort,
  };
}

async function listen(server: TcpServer, host = '127.0.0.1'): Promise<number> {
  server.listen(0, host);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
