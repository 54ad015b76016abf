import { invalidRequest, notFound } from '../../domain/errors.ts';
import { readTrpHeaders, trpHeaders } from '../../domain/trp/protocol.ts';
import { checkWebhookUrl } from '../../domain/webhooks/endpoint-url.ts';
import type { TrpTransfer } from '../../db/trp/transfer-row.ts';
import { isTransferKnown } from '../../db/trp/transfers.ts';
import type { Deps } from '../deps.ts';
import { isTrpOpen, type Settings } from '../../process/settings.ts';
import { invalidField } from '../../domain/errors.ts';

type ReadHeader = (name: string) => string | undefined;

/** The endpoints that others call are there only where their certificates can be seen, and in a sandbox. Throws not_found. */
export function requireTrp(settings: Settings): void {
  if (!isTrpOpen(settings)) throw notFound('page');
}

/** The request identifier of a message. Throws validation_failed for headers that TRP 3 does not have so. */
export function requestIdentifierOf(header: ReadHeader): string {
  const read = readTrpHeaders(header);
  if (read.ok) return read.requestIdentifier;
  throw invalidRequest(
    read.faults.map(({ header: name, code, message }) => ({ pointer: `/${name}`, code, message })),
  );
}

/** The headers of an answer, for the reference. */
export const ANSWER_HEADERS = {
  'api-version': 'The version of TRP.',
  'request-identifier': 'As in the request.',
};

/** The headers of an answer to a message. */
export function answerHeaders(requestIdentifier: string): Record<string, string> {
  return trpHeaders(requestIdentifier);
}

/** Refuses a callback for a TRP transfer that nobody knows, before its body is read. Throws not_found, validation_failed. */
export function admitCallback(direction: TrpTransfer['direction']) {
  return async (
    { params, header }: { params: { token: string }; header: ReadHeader },
    { db, settings }: Pick<Deps, 'db' | 'settings'>,
  ): Promise<void> => {
    requireTrp(settings);
    const requestIdentifier = requestIdentifierOf(header);
    if (!(await isTransferKnown(db.pool, { direction, token: params.token, requestIdentifier })))
      throw notFound('inquiry');
  };
}

/** Throws validation_failed for a callback that must not be called: the rules are those of webhooks. */
export function requireCallback(pointer: string, callback: string, settings: Settings): URL {
  const checked = checkWebhookUrl(callback, {
    environment: settings.ENVIRONMENT,
    allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
  });
  if (checked.ok) return checked.url;
  throw invalidField(pointer, checked.code, checked.message);
}
