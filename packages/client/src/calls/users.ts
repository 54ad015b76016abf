import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/users`. */
export function userCalls({ request, list }: ApiCalls) {
  return {
    list: (filters?: FiltersOf<'/users'>, options?: CallOptions) =>
      list('/users', { ...options, query: filters }),
    /** Answers the tokens of the new user, too. */
    create: async (body: BodyOf<'POST', '/users'>, options?: CallOptions) =>
      await request('POST', '/users', { ...options, body }),
    /** Sends a link by which the user sets a password. */
    invite: async (body: BodyOf<'POST', '/users/invitations'>, options?: CallOptions) =>
      await request('POST', '/users/invitations', { ...options, body }),
    patch: async (id: string, body: BodyOf<'PATCH', '/users/{id}'>, options?: CallOptions) =>
      await request('PATCH', '/users/{id}', { ...options, path: { id }, body }),
    /** The user of the client's access token. */
    me: async (options?: CallOptions) => await request('GET', '/users/me', { ...options }),
    /** Ends every other session of the user. */
    changePassword: async (body: BodyOf<'POST', '/users/me/password'>, options?: CallOptions) =>
      await request('POST', '/users/me/password', { ...options, body }),
    /** Makes the secret for an authenticator app; it counts once a first code is confirmed. */
    setUpSecondFactor: async (body: BodyOf<'POST', '/users/me/second-factor'>, options?: CallOptions) =>
      await request('POST', '/users/me/second-factor', { ...options, body }),
    /** Switches the second factor on. Answers the recovery codes. */
    confirmSecondFactor: async (
      body: BodyOf<'POST', '/users/me/second-factor/confirm'>,
      options?: CallOptions,
    ) => await request('POST', '/users/me/second-factor/confirm', { ...options, body }),
    removeSecondFactor: async (
      body: BodyOf<'POST', '/users/me/second-factor/remove'>,
      options?: CallOptions,
    ) => await request('POST', '/users/me/second-factor/remove', { ...options, body }),
  };
}

/** Calls of `/auth`. They send no key of the client: each has a credential of its own. */
export function authCalls({ request }: ApiCalls) {
  return {
    signIn: async (body: BodyOf<'POST', '/auth/signin'>, options?: CallOptions) =>
      await request('POST', '/auth/signin', { ...options, body }),
    /** Exchanges a refresh token, which counts once, for the next pair of tokens. */
    refresh: async (refreshToken: string, options?: CallOptions) =>
      await request('GET', '/auth/refresh', withToken(refreshToken, options)),
    /** Sends a link by which a user sets a new password, if somebody has the e-mail address. */
    requestPasswordReset: async (body: BodyOf<'POST', '/auth/password-reset'>, options?: CallOptions) =>
      await request('POST', '/auth/password-reset', { ...options, body }),
    /** Sets a password by the token of a link, which counts once, and signs in. */
    setPassword: async (body: BodyOf<'POST', '/auth/password'>, options?: CallOptions) =>
      await request('POST', '/auth/password', { ...options, body }),
    /** For pages that the deployment serves: signs in by a cookie that scripts cannot read, in the place of tokens. */
    startPageSession: async (body: BodyOf<'POST', '/auth/session'>, options?: CallOptions) =>
      await request('POST', '/auth/session', { ...options, body }),
    /** Ends the session of the cookie. */
    endPageSession: async (options?: CallOptions) => await request('DELETE', '/auth/session', { ...options }),
    /** Ends the session of an access token, with all its tokens. */
    logOut: async (accessToken: string, options?: CallOptions) =>
      await request('GET', '/auth/logout', withToken(accessToken, options)),
  };
}

function withToken(token: string, options: CallOptions = {}): CallOptions {
  return { ...options, headers: { ...options.headers, Authorization: `Bearer ${token}` } };
}
