import { DomainError } from '../domain/errors.ts';
import type { Settings } from '../process/settings.ts';
import { bearerToken } from './bearer-token.ts';
import type { EndpointAuth } from './caller.ts';
import { readPageCookie } from './page-cookie.ts';

type CredentialKind = 'API_KEY' | 'ACCESS_TOKEN' | 'PAGE_COOKIE' | 'PARTNER_KEY' | 'OPERATOR_KEY';

/** What a caller authenticates with. */
export interface Credential {
  kind: CredentialKind;
  text: string;
}

/** The part of a request that holds each kind, as error messages name it. */
const PLACES: Readonly<Record<CredentialKind, string>> = {
  API_KEY: 'X-Api-Key',
  ACCESS_TOKEN: 'Authorization',
  PAGE_COOKIE: 'the cookie of a page',
  PARTNER_KEY: 'X-Partner-Api-Key',
  OPERATOR_KEY: 'X-Operator-Key',
};

const TAKEN: Readonly<Record<EndpointAuth, readonly CredentialKind[]>> = {
  TENANT: ['API_KEY', 'ACCESS_TOKEN', 'PAGE_COOKIE'],
  PARTNER: ['PARTNER_KEY'],
  OPERATOR: ['OPERATOR_KEY'],
  NONE: [],
};

interface RequestHeaders {
  get: (name: string) => string | undefined;
}

/** All credentials of a request, whether they are right or not. An empty header of a key says nothing; a malformed token is one. */
export function readCredentials(request: RequestHeaders, settings: Settings): Credential[] {
  const given: Record<CredentialKind, string | null> = {
    API_KEY: request.get(PLACES.API_KEY) || null,
    ACCESS_TOKEN: bearerToken(request.get(PLACES.ACCESS_TOKEN)),
    PAGE_COOKIE: readPageCookie(settings, request.get('Cookie')),
    PARTNER_KEY: request.get(PLACES.PARTNER_KEY) || null,
    OPERATOR_KEY: request.get(PLACES.OPERATOR_KEY) || null,
  };
  const kinds = Object.keys(given) as CredentialKind[];
  return kinds.flatMap((kind) => {
    const text = given[kind];
    return text === null ? [] : [{ kind, text }];
  });
}

/**
 * The credential of a request to an endpoint. Throws unauthenticated without one, for a kind that the endpoint does not take,
 * and for several: it would be open who acts.
 */
export function onlyCredential(given: readonly Credential[], auth: EndpointAuth): Credential {
  const [credential, another] = given;
  if (credential && another) {
    throw refused(
      `This request has ${placesOf(
        given.map(({ kind }) => kind),
        ' and ',
      )}; send one of them alone.`,
    );
  }
  const taken = TAKEN[auth];
  const expected = placesOf(taken, ' or ');
  if (!credential) throw refused(`Send your key or token in ${expected}.`);
  if (taken.includes(credential.kind)) return credential;
  throw refused(`This path takes ${expected}, and no ${PLACES[credential.kind]}.`);
}

function placesOf(kinds: readonly CredentialKind[], between: string): string {
  return kinds.map((kind) => PLACES[kind]).join(between);
}

function refused(message: string): DomainError {
  return new DomainError('unauthenticated', message);
}
