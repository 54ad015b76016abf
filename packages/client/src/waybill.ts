import { createCalls } from './api-calls.ts';
import { brakeCalls } from './calls/brakes.ts';
import { changeFeedCalls } from './calls/change-feed.ts';
import { claimCalls, reconciliationCalls } from './calls/claims.ts';
import { blockchainCalls, counterpartyCalls, entityCalls } from './calls/directory.ts';
import { exportCalls } from './calls/exports.ts';
import { proposalCalls, workItemCalls } from './calls/proposals.ts';
import { partnerCalls } from './calls/partner.ts';
import { ruleCalls } from './calls/rules.ts';
import { sanctionsCalls } from './calls/sanctions.ts';
import { sandboxCalls } from './calls/sandbox.ts';
import { tenantCalls, webhookCalls } from './calls/tenant.ts';
import { transactionCalls } from './calls/transactions.ts';
import { authCalls, userCalls } from './calls/users.ts';
import { verificationCalls } from './calls/verifications.ts';
import { amlCalls, walletIntelligenceCalls } from './calls/wallet-checks.ts';
import { walletCalls } from './calls/wallets.ts';
import type { SendRequest } from './operations.ts';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.ts';

export interface WaybillOptions {
  /** The address of the API, as in `https://waybill.example`. */
  baseUrl: string;
  /** The key of a tenant. */
  apiKey?: string;
  /** The access token of a user, in the place of an API key: `auth.signIn` answers one, for an hour. */
  accessToken?: string;
  /** The key of a partner of the network, for paths below `/partners`. */
  partnerKey?: string;
  /** The key of operators, for paths below `/operator`. */
  operatorKey?: string;
  /** The longest time of one attempt, in milliseconds. Default: 30,000. */
  timeoutMs?: number;
  /** Default: at most 4 retries, 250 ms doubling to 10 s, a `Retry-After` of at most 60 s. */
  retry?: Partial<RetryPolicy>;
  /** Sends the requests. Default: the `fetch` of Node. */
  fetch?: typeof fetch;
}

const TIMEOUT_MS = 30_000;

/** A client of one Waybill deployment. Methods throw WaybillProblem for a refusal, ConnectionFailed without an answer. */
export class Waybill {
  /** Sends a request to any endpoint, operators' ones included, with retries and types like every other call. */
  readonly request: SendRequest;
  readonly transactions: ReturnType<typeof transactionCalls>;
  readonly claims: ReturnType<typeof claimCalls>;
  readonly wallets: ReturnType<typeof walletCalls>;
  readonly verifications: ReturnType<typeof verificationCalls>;
  readonly sanctions: ReturnType<typeof sanctionsCalls>;
  readonly rules: ReturnType<typeof ruleCalls>;
  readonly entities: ReturnType<typeof entityCalls>;
  readonly counterparties: ReturnType<typeof counterpartyCalls>;
  readonly blockchains: ReturnType<typeof blockchainCalls>;
  readonly walletIntelligence: ReturnType<typeof walletIntelligenceCalls>;
  readonly aml: ReturnType<typeof amlCalls>;
  readonly tenant: ReturnType<typeof tenantCalls>;
  readonly brakes: ReturnType<typeof brakeCalls>;
  readonly exports: ReturnType<typeof exportCalls>;
  readonly partner: ReturnType<typeof partnerCalls>;
  readonly users: ReturnType<typeof userCalls>;
  readonly auth: ReturnType<typeof authCalls>;
  readonly proposals: ReturnType<typeof proposalCalls>;
  readonly reconciliation: ReturnType<typeof reconciliationCalls>;
  readonly workItems: ReturnType<typeof workItemCalls>;
  readonly webhooks: ReturnType<typeof webhookCalls>;
  readonly events: ReturnType<typeof changeFeedCalls>;
  readonly sandbox: ReturnType<typeof sandboxCalls>;

  /** Throws TypeError for a baseUrl that is no http or https URL, and for an API key beside an access token. */
  constructor({ baseUrl, apiKey, accessToken, partnerKey, operatorKey, ...options }: WaybillOptions) {
    if (apiKey !== undefined && accessToken !== undefined) {
      throw new TypeError('Give either apiKey or accessToken: one of them acts.');
    }
    const { timeoutMs = TIMEOUT_MS, retry, fetch: send = fetch } = options;
    const keys = { apiKey, accessToken, partnerKey, operatorKey };
    const address = { baseUrl: checkedBaseUrl(baseUrl), ...keys, timeoutMs };
    // The keys are in here alone: an instance that is printed or logged shows none.
    const calls = createCalls({ address, retry: { ...DEFAULT_RETRY, ...retry }, fetch: send });
    this.request = calls.request;
    this.transactions = transactionCalls(calls);
    this.claims = claimCalls(calls);
    this.wallets = walletCalls(calls);
    this.verifications = verificationCalls(calls);
    this.sanctions = sanctionsCalls(calls);
    this.rules = ruleCalls(calls);
    this.entities = entityCalls(calls);
    this.counterparties = counterpartyCalls(calls);
    this.blockchains = blockchainCalls(calls);
    this.walletIntelligence = walletIntelligenceCalls(calls);
    this.aml = amlCalls(calls);
    this.tenant = tenantCalls(calls);
    this.brakes = brakeCalls(calls);
    this.exports = exportCalls(calls);
    this.partner = partnerCalls(calls);
    this.users = userCalls(calls);
    this.auth = authCalls(calls);
    this.proposals = proposalCalls(calls);
    this.reconciliation = reconciliationCalls(calls);
    this.workItems = workItemCalls(calls);
    this.webhooks = webhookCalls(calls);
    this.events = changeFeedCalls(calls);
    this.sandbox = sandboxCalls(calls);
  }
}

/** Without the slash at its end. The API may lie below a path. */
function checkedBaseUrl(baseUrl: string): string {
  const { protocol, search, hash, username } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol) || search + hash + username !== '') {
    throw new TypeError('baseUrl is an http or https URL without credentials, query and fragment.');
  }
  return baseUrl.replace(/\/+$/, '');
}
