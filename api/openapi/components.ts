type JsonObject = Record<string, unknown>;

/** A described text, as a header or a parameter has it. */
export function text(description: string): JsonObject {
  return { description, schema: { type: 'string' } };
}

/** The headers of answers that many operations share. */
export const HEADERS = {
  RequestId: text('The id of the request: yours if you sent a usable X-Request-Id, else ours.'),
  RateLimit: text('Requests left until the limit resets: `"reads"; r=<requests>; t=<seconds>`.'),
  RateLimitPolicy: text('The rate limit: `"reads"; q=<requests>; w=<seconds>`.'),
  IdempotencyReplayed: text(
    '`true` if this is the stored answer of an earlier request with the same Idempotency-Key.',
  ),
  RetryAfter: text('Seconds to wait before the request is sent again.'),
} as const;

export function headerRef(name: keyof typeof HEADERS): JsonObject {
  return { $ref: `#/components/headers/${name}` };
}

/** The header parameters that many operations share. */
export const PARAMETERS = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A repeat of the request with the same key within 24 hours gets the first answer and has no further effect. ' +
      'Equal JSON is the same request, however it is written. 1 to 255 printable ASCII characters without spaces, such ' +
      'as a UUID; without it every request counts.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: '`count=none` leaves X-Total-Count out, which is faster. With the count if absent.',
    schema: { type: 'string' },
  },
} as const;

export function parameterRef(name: string): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}

export const SECURITY_SCHEMES = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A key of a tenant. `npm start` prints those of the two demo tenants.',
  },
  AccessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` of a user who has signed in. It counts for an hour.',
  },
  PartnerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Partner-Api-Key',
    description: 'A key of a partner of the network. `npm start` prints that of the demo partner.',
  },
  OperatorKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Operator-Key',
    description: 'The key of an operator of the deployment (`OPERATOR_KEY`, `OPERATOR_KEYS`).',
  },
  PageToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Verification-Token',
    description: 'The `token` of a wallet verification, which the hosted page carries in its address.',
  },
  PortalToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Portal-Token',
    description: 'The token of a link of the e-mail portal: the text behind `#`.',
  },
  PortalSession: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Portal-Session',
    description: 'The `session` that a right code has opened. It counts for an hour.',
  },
} as const;

const TAGS: Readonly<Record<string, string>> = {
  Transactions: 'Travel Rule messages: send them, receive them, decide on them, follow them.',
  Wallets: 'The custodial wallets of the tenant, by which messages from other VASPs find it.',
  Claims: 'The data of transfers that arrived without a message: asked for, and asked of the tenant.',
  'Wallet verification': 'Proof that a self-hosted wallet belongs to a customer.',
  'Hosted page': 'What the page of the owner of a wallet calls. The token of the page is the credential.',
  'E-mail portal':
    'What the page for VASPs on no network calls: the token of the link in a mail is the credential, then a one-time code.',
  Sanctions: 'Names and wallet addresses compared with sanctions lists.',
  'Rule engine': 'Rules that decide on transactions: drafted, tried out, published.',
  Entities: 'The directory of VASPs and other businesses, and what the tenant has decided about them.',
  'Wallet Intelligence': 'Who holds the keys of a wallet, and whether a program uses it.',
  Events: 'The feed of all changes, and the daily seals of the event logs.',
  Exports: 'Copies of records as files.',
  Reports: 'A file of the transactions of each month, with totals.',
  Tenant: 'The tenant, its settings and its keys.',
  Brakes: 'What holds messages or webhooks back for a while.',
  Users: 'People who act for the tenant: sign-in, roles, passwords.',
  Proposals: 'What waits for a person: acts that need a second one, and everything else.',
  AML: 'Checks of wallets and transactions by an AML provider.',
  Partner: 'For partners of the network: their profile, and the secret that signs their webhooks.',
  'Travel Rule Protocol': 'What other VASPs call by TRP 3. Tenants get their messages as transactions.',
  Webhooks: 'What was sent to `webhookUrl`, sending it again, and the secret that signs it.',
  Operator: 'For operators of the deployment: tenants, partners, sanctions lists, the directory, labels.',
  Health: 'For monitoring.',
  Sandbox: 'In a sandbox only: a counterparty on request, and deadlines that end at once.',
};

/** The tags in use, in the order of their operations. */
export function describeTags(names: ReadonlySet<string>): JsonObject[] {
  return [...names].map((name) => ({ name, description: TAGS[name] }));
}
