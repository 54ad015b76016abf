import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from 'pino';
import { openMailer } from '../activities/mail/mailer.ts';
import type { UnsentMail } from '../activities/mail/send-mail.ts';
import { createTrpClient } from '../activities/network/trp-client.ts';
import { trpPlaces } from '../activities/network/trp-places.ts';
import { createEndpointTurns, type EndpointTurns } from '../activities/webhooks/endpoint-turns.ts';
import { createHandedOverRequests } from '../activities/webhooks/handed-over.ts';
import { createOutgoingHttp } from '../outside/outgoing-http.ts';
import { createTroubledEndpoints } from '../activities/webhooks/troubled-endpoints.ts';
import { endPlaces, leasePlaces } from '../db/webhooks/lease-places.ts';
import { portalUrlOf, sendsMails, trpUrlOf, type Settings } from '../process/settings.ts';

/** A slot lasts a little longer than the deadline of a request, so that a retry finds its turn free. Most endpoints answer quickly. */
const TURNS = { slotMs: 11_000, firstGuessMs: 1_000 };

/** Opens the parts of a worker that send webhooks and mails. To be stopped when no request is under way any more. */
export function openSending(settings: Settings, pool: pg.Pool, log: Logger) {
  const http = createOutgoingHttp({
    environment: settings.ENVIRONMENT,
    allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS,
  });
  const trpClient = createTrpClient(settings);
  const { turns, giveBack } = leasedTurns(pool, log);
  return {
    http,
    turns,
    troubled: createTroubledEndpoints(),
    handedOver: createHandedOverRequests(),
    mailer: openMailer(settings),
    portalUrl: portalUrlOf(settings),
    sendsMails: sendsMails(settings),
    reportUnsent: (mail: UnsentMail) => log.warn(mail, 'a mail was not sent'),
    trp: {
      client: trpClient,
      places: trpPlaces(),
      url: trpUrlOf(settings),
      rules: { environment: settings.ENVIRONMENT, allowedHosts: settings.WEBHOOK_ALLOWED_HOSTS },
    },
    reportTrpFault: (fault: object) => log.warn(fault, 'another VASP did not take a message by TRP'),
    stop: async () => {
      await Promise.all([http.close(), trpClient.close()]);
      await giveBack();
    },
  };
}

/** Turns of a worker that leases its places at each endpoint; they are free for other workers when it stops. */
function leasedTurns(pool: pg.Pool, log: Logger): { turns: EndpointTurns; giveBack: () => Promise<void> } {
  const workerId = randomUUID();
  const turns = createEndpointTurns({
    ...TURNS,
    leasePlaces: async (request) => await leasePlaces(pool, { ...request, workerId }),
  });
  return {
    turns,
    async giveBack() {
      turns.close();
      try {
        await endPlaces(pool, workerId);
      } catch (error) {
        log.warn(
          { error },
          'places at webhook endpoints were not given back; their leases end by themselves',
        );
      }
    },
  };
}
