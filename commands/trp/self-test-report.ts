import { HttpFault, type HttpFaultCode } from '../../outside/http-fault.ts';

/** What is wrong in one step, and what the operator does next. */
export class FailedStep extends Error {
  readonly next: string;

  constructor(message: string, next: string) {
    super(message);
    this.next = next;
  }
}

const NEXT: Partial<Record<HttpFaultCode, string>> = {
  DNS_FAILED: 'The name has no address here: check TRP_URL and the name server.',
  CONNECT_REFUSED: 'Nothing listens there: is the api running, and does the proxy or firewall lead to it?',
  CONNECT_TIMEOUT:
    'Packets get lost on the way: check the firewall, and whether this machine may call its own public address.',
  HOST_UNREACHABLE: 'There is no way to this address: check TRP_URL and the routes.',
  TLS_ERROR:
    'The certificate of the server is not accepted: is it one of this host, with its intermediate ones, and valid? An authority of your own belongs into TRP_TLS_CA.',
  TIMEOUT: 'It takes connections and does not answer: look into the log of the api or the proxy.',
  INVALID_RESPONSE: 'It does not speak HTTP: is this the port of something else, or https on a port of http?',
  CONNECTION_CLOSED:
    'It closes the connection: does a proxy refuse callers with a certificate, or http on a port of https?',
};

/** Prints every step of the self-test as it ends, and counts what is wrong. */
export class SelfTestReport {
  faults = 0;

  /** Runs a step; false, and printed with what to do next, where it throws FailedStep or nothing answers. */
  async step(name: string, work: () => Promise<string | undefined>): Promise<boolean> {
    try {
      const detail = await work();
      print('ok', detail === undefined ? name : `${name}: ${detail}`);
      return true;
    } catch (error) {
      const { message, next } = failedStepOf(error);
      this.faults += 1;
      print('WRONG', `${name}: ${message}`);
      print('', next);
      return false;
    }
  }

  leftOut(name: string, why: string): void {
    print('left', `${name}: ${why}`);
  }
}

function failedStepOf(error: unknown): Pick<FailedStep, 'message' | 'next'> {
  if (error instanceof FailedStep) return error;
  if (!(error instanceof HttpFault)) throw error;
  const next = NEXT[error.code] ?? 'Look into the log of the api or the proxy.';
  return { message: `no answer (${error.code}${driverCode(error.cause)})`, next };
}

/** The code of the driver tells one fault of TLS from another. */
function driverCode(cause: unknown): string {
  if (typeof cause !== 'object' || cause === null || !('code' in cause)) return '';
  return typeof cause.code === 'string' ? `, ${cause.code}` : '';
}

/** What others have answered may contain anything, control characters of a terminal included. */
function print(mark: string, text: string): void {
  console.log(`${mark.padEnd(6)} ${text.replace(/\p{C}/gu, '?')}`);
}
