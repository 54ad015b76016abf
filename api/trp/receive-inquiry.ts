import { z } from 'zod';
import { findVaspOfCertificate } from '../../db/trp/vasp-of-certificate.ts';
import { findTravelDestination, type TravelDestination } from '../../db/trp/travel-tokens.ts';
import { receivedHashes } from '../../db/trp/inquiry-hash.ts';
import { MAX_OPEN_UNPROVEN, refuseFlood } from '../../db/trp/refuse-flood.ts';
import { findReceivedInquiry, receiveInquiry } from '../../db/trp/transfers.ts';
import { DomainError, invalidRequest, notFound } from '../../domain/errors.ts';
import { TrpInquiry, TrpTaken } from '../../domain/trp/messages.ts';
import { TRP_VERSION } from '../../domain/trp/protocol.ts';
import { readInquiry } from '../../domain/trp/read-inquiry.ts';
import { defineEndpoint } from '../endpoint.ts';
import { deliverInquiry } from './deliver-inquiry.ts';
import {
  ANSWER_HEADERS,
  answerHeaders,
  requestIdentifierOf,
  requireCallback,
  requireTrp,
} from './trp-request.ts';

export const receiveInquiryEndpoint = defineEndpoint({
  operationId: 'receiveTrpInquiry',
  method: 'POST',
  path: '/trp/inquiries/{token}',
  auth: 'NONE',
  limit: 'TRP',
  tag: 'Travel Rule Protocol',
  summary: 'Receive an inquiry by TRP',
  description:
    'Other VASPs call it by the travel address of a wallet. The inquiry becomes a message to the tenant of the wallet; the ' +
    'answer follows by `callback`. A repeat with the same `request-identifier` changes nothing; another inquiry with it is 409. ' +
    'Without a verified client certificate the sender is unknown: the message completes no record, and no rule confirms it; ' +
    `while ${MAX_OPEN_UNPROVEN} of them are undecided for a wallet, more are 429.`,
  params: z.strictObject({ token: z.string().regex(/^[A-Za-z0-9_-]{1,100}$/) }),
  query: z.looseObject({}),
  body: TrpInquiry,
  dropsEmptyTexts: true,
  example: {
    query: { t: 'i' },
    body: {
      asset: { slip0044: 60 },
      amount: 1.5,
      callback: 'http://127.0.0.1:4000/trp/resolution',
      IVMS101: {
        originator: {
          originatorPersons: [
            {
              naturalPerson: {
                name: {
                  nameIdentifier: [
                    {
                      primaryIdentifier: 'Lindqvist',
                      secondaryIdentifier: 'Greta',
                      nameIdentifierType: 'LEGL',
                    },
                  ],
                },
              },
            },
          ],
        },
        beneficiary: {
          beneficiaryPersons: [
            {
              naturalPerson: {
                name: {
                  nameIdentifier: [
                    { primaryIdentifier: 'Brandt', secondaryIdentifier: 'Jonas', nameIdentifierType: 'LEGL' },
                  ],
                },
              },
            },
          ],
        },
      },
    },
  },
  responses: {
    200: {
      description: 'Taken: the resolution follows by the callback.',
      schema: TrpTaken,
      headers: ANSWER_HEADERS,
    },
  },
  errors: ['not_found', 'conflict', 'rate_limited'],
  async admit({ params, header }, deps) {
    requireTrp(deps.settings);
    requestIdentifierOf(header);
    await walletOf(deps, params.token);
  },
  async handle({ params, body, header, certificate, address }, deps) {
    const { db, settings } = deps;
    const requestIdentifier = requestIdentifierOf(header);
    const wallet = await walletOf(deps, params.token);
    const callback = requireCallback('/callback', body.callback, settings);
    const proven = certificate();
    const sender = proven ? `certificate:${proven.fingerprint}` : `callback:${callback.host}`;
    const from = { tenantId: wallet.tenantId, requestIdentifier, sender };
    const [bodyHash, earlierHash] = receivedHashes(db, params.token, body);
    const isSame = (known: Buffer) => known.equals(bodyHash) || known.equals(earlierHash);
    const taken = { status: 200, headers: answerHeaders(requestIdentifier), body: { version: TRP_VERSION } };
    const earlier = await findReceivedInquiry(db.pool, from);
    if (earlier && !isSame(earlier.bodyHash)) throw otherInquiry();
    if (earlier?.isDelivered) return taken;
    const now = new Date();
    const read = readInquiry(body, wallet, now.toISOString().slice(0, 10));
    if (!read.ok) throw invalidRequest(read.faults);
    const senderEntityId = proven
      ? await findVaspOfCertificate(db.pool, proven, read.originatorVasp?.name ?? null)
      : null;
    // Asked again where it counts: here it only spares the judgement of what would be refused.
    if (senderEntityId === null) await refuseFlood(db.pool, wallet);
    const received = { ...from, senderEntityId, bodyHash, peerCallback: callback.href, now };
    // A repeat waits for the delivery that is under way.
    const transfer = await deps.writeInTurn(address, async () => await receiveInquiry(db, received));
    if (!isSame(transfer.bodyHash)) throw otherInquiry();
    await deliverInquiry(deps, { transfer, read, wallet, isProven: senderEntityId !== null, address, now });
    return taken;
  },
});

async function walletOf(
  { db }: Parameters<typeof deliverInquiry>[0],
  token: string,
): Promise<TravelDestination> {
  const wallet = await findTravelDestination(db.pool, token);
  if (!wallet) throw notFound('travel address');
  return wallet;
}

function otherInquiry(): DomainError {
  return new DomainError('conflict', 'This request-identifier was used for another inquiry.');
}
