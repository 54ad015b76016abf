import type { OutgoingHttp } from '../../outside/outgoing-http.ts';

/** Where no request to a tenant is to be made: each one is a fault of the test. */
export const noRequests: OutgoingHttp = {
  post: async (url) => await Promise.reject(new Error(`no request was expected: ${url}`)),
  close: async () => await Promise.resolve(),
};
