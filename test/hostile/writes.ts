import { rule } from '../factories/rules.ts';
import { png } from '../factories/evidence.ts';
import { ALL_TIME } from '../factories/backtests.ts';
import { PASSWORD } from '../factories/user.ts';
import type { Attempt } from './attacks.ts';
import { CHOSEN_AMOUNT, SCANNED, type Target } from './target.ts';

/** Records of the attacker, to put the target's ones under. */
export interface OwnRecords {
  tenantName: string;
  transactionId: string;
  claimId: string;
  walletId: number;
  verificationId: string;
  configurationId: string;
  revision: number;
}

/** What a hostile tenant writes, and asks beyond the usual, by endpoint: with the target's ids, and its own records with the target's values. */
export function writesOf(target: Target, own: OwnRecords): Record<string, Attempt[]> {
  return {
    ...transactionWrites(target, own),
    ...claimWrites(target, own),
    ...walletWrites(target, own),
    ...verificationWrites(target, own),
    ...screeningWrites(target),
    ...ruleWrites(target, own),
    ...tenantWrites(target),
    ...userWrites(target),
    ...OPEN,
    ...hostedWrites(target),
    ...portalWrites(target),
    ...partnerWrites(target, own),
  };
}

function transactionWrites(target: Target, own: OwnRecords): Record<string, Attempt[]> {
  const { destination, origin, transactionHash, reference } = target;
  const blockchainInfo = {
    blockchain: 'Ethereum',
    destination,
    destinationType: 'CUSTODIAL',
    transactionHash,
  };
  const transfer = { asset: 'ETH', amount: '1.5', blockchainInfo: { ...blockchainInfo, origin } };
  const named = { ...transfer, vaspInfo: { beneficiaryVaspName: target.name } };
  const parties = { originator: { name: target.customer }, beneficiary: { name: target.customer } };
  const selfHosted = { ...blockchainInfo, destination: target.selfHosted, destinationType: 'NON_CUSTODIAL' };
  const path = `/transactions/${own.transactionId}`;
  return {
    'POST /transactions': [
      { body: { ...named, ...parties, reference } },
      { body: { ...transfer, direction: 'INCOMING', vaspInfo: { originatorVaspName: target.name } } },
      { body: { ...transfer, reference: `${reference}-2`, blockchainInfo: selfHosted } },
    ],
    'POST /transactions/preflight': [
      { body: { ...named, ...parties, reference } },
      { body: { ...transfer, ...parties, blockchainInfo: selfHosted } },
      { body: { ...transfer, direction: 'INCOMING', vaspInfo: { originatorVaspName: target.name } } },
    ],
    'PATCH /transactions/{id}': [
      { body: { status: 'CONFIRMED' } },
      { body: { status: 'DECLINED', statusReasoning: 'stolen' } },
      { path: `/transactions/${target.ids.incoming}`, body: { status: 'CONFIRMED' } },
      { path, body: { transactionHash, vaspInfo: { beneficiaryVaspName: target.name } } },
    ],
    'DELETE /transactions/{id}': [{}, { path: `/transactions/${target.ids.incoming}` }],
    'POST /transactions/{id}/resubmit': [
      { body: { reference } },
      { path: `${path}/resubmit`, body: { reference } },
    ],
    'POST /transactions/{id}/retry': [{}],
    'POST /transactions/{id}/webhooks/resend': [
      {},
      { path: `/transactions/${target.ids.incoming}/webhooks/resend` },
    ],
    'POST /transactions/{id}/proceed': [{ body: { reason: 'stolen' } }],
    'PUT /transactions/{id}/legal-hold': [{ body: { hold: false, reason: 'stolen' } }],
    'POST /transactions/{id}/assets-disposition': [
      { body: { assetsDisposition: 'CREDITED' } },
      {
        path: `/transactions/${target.ids.incoming}/assets-disposition`,
        body: { assetsDisposition: 'SUSPENDED' },
      },
    ],
    'POST /transactions/{id}/repair': [
      { body: { fields: ['originator.name'], reason: 'stolen' } },
      { path: `${path}/repair`, body: { fields: ['originator.name'] } },
    ],
    'POST /transactions/{id}/review': [
      { body: { decision: 'PROCEED', reason: 'stolen' } },
      { body: { decision: 'BLOCK', reason: 'stolen' } },
    ],
    'POST /sandbox/incoming': [{ body: { ...transfer, ...parties, reference } }],
    'POST /sandbox/transactions/{id}/fire-timer': [{}],
  };
}

/** Whoever knows hash and destination may ask: for itself, in the target's name, or for what the target has asked. */
function claimWrites(target: Target, own: OwnRecords): Record<string, Attempt[]> {
  const { destination, origin, transactionHash } = target;
  const claim = { asset: 'ETH', blockchainInfo: { blockchain: 'Ethereum', transactionHash, destination } };
  const originator = { name: target.customer };
  const path = `/claims/${own.claimId}`;
  return {
    'POST /transactions/{id}/claim': [
      { body: {} },
      {
        path: `/transactions/${target.ids.incoming}/claim`,
        body: { beneficiary: { name: target.customer } },
      },
    ],
    'POST /claims': [
      { body: { ...claim, vaspInfo: { originatorVaspName: target.name } } },
      // A guess at the beneficiary, of another transfer so that the claim before does not refuse it.
      {
        body: {
          ...claim,
          blockchainInfo: { ...claim.blockchainInfo, destinationTag: '7' },
          vaspInfo: { originatorVaspName: target.name },
          beneficiary: { name: target.customer },
        },
      },
      { body: { ...claim, blockchainInfo: { ...claim.blockchainInfo, origin, destination: origin } } },
    ],
    'PATCH /claims/{id}': [
      { body: { status: 'CANCELLED' } },
      { body: { status: 'DECLINED', statusReasoning: 'stolen' } },
      { path, body: { statusReasoning: target.reference } },
    ],
    'POST /claims/{id}/answer': [
      { body: { originator } },
      { body: { transactionId: own.transactionId } },
      { path: `${path}/answer`, body: { transactionId: target.ids.transactions } },
    ],
    'POST /sandbox/claims/{id}/fire-timer': [{}],
  };
}

function walletWrites({ ids, ...target }: Target, own: OwnRecords): Record<string, Attempt[]> {
  const wallet = { asset: 'ETH', blockchain: 'Ethereum' };
  const id = Number(ids.wallets);
  return {
    'POST /wallets': [
      { body: { ...wallet, address: target.destination } },
      { body: { ...wallet, address: target.destination.toUpperCase().replace('0X', '0x') } },
      { body: { ...wallet, asset: '*', address: target.deposit } },
    ],
    'PATCH /wallets': [{ body: [id] }, { body: [own.walletId, id] }],
    'DELETE /wallets': [{ body: [id] }, { body: [own.walletId, id] }],
    'PATCH /wallets/{id}': [{ body: { status: 'UNCONFIRMED' } }, { body: { metadata: 'stolen' } }],
    'DELETE /wallets/{id}': [{}],
    'POST /wallets/upload-csv': [{ form: [['file', target.csvFile, 'wallets.csv']] }],
  };
}

function verificationWrites(target: Target, own: OwnRecords): Record<string, Attempt[]> {
  const body = { asset: 'ETH', blockchain: SCANNED, address: target.selfHosted };
  const subject = { type: 'NATURAL', nameHash: 'a'.repeat(64) };
  const reuse = { subject, policy: { minimumMatchLevel: 'LOW', maxReuseAgeDays: 365 } };
  const satoshi = { ...body, allowedFlows: ['SATOSHI_TEST'] };
  const satoshiFlow = { depositAddress: target.deposit };
  const path = `/wallet-verification/${own.verificationId}`;
  const selfie = { kind: 'SELFIE', path: `${path}/additional-steps/SELFIE` };
  const file: Attempt['form'] = [['files', png({ text: 'mine' }), 'a.png', 'image/png']];
  return {
    'POST /wallet-verification': [
      { body: { ...body, metadata: target.reference } },
      { body: { ...body, reuse } },
      { body: { ...satoshi, satoshiFlow } },
      { body: { ...satoshi, satoshiFlow: { ...satoshiFlow, amount: CHOSEN_AMOUNT } } },
    ],
    'PATCH /wallet-verification/{id}': [
      { body: { metadata: 'stolen' } },
      { body: { status: 'VERIFIED' } },
      { path, body: { metadata: target.reference } },
    ],
    'DELETE /wallet-verification/{id}': [{}],
    'POST /wallet-verification/{id}/verification': [{ body: { verificationFlow: 'SELF_DECLARED' } }],
    'POST /wallet-verification/{id}/revoke': [{ body: { reason: 'stolen' } }],
    'GET /wallet-verification/{id}/files/{fileId}/url': [
      {},
      { path: `${path}/files/${target.ids.files}/url` },
    ],
    'POST /wallet-verification/{id}/additional-steps/{kind}': [
      { form: file },
      { path: selfie.path, form: file },
    ],
    'PATCH /wallet-verification/{id}/additional-steps/{kind}': [{ body: { status: 'VERIFIED' } }],
    'GET /wallet-verification/{id}/additional-steps/{kind}/documents/{documentId}/url': [
      {},
      { path: `${selfie.path}/documents/${target.ids.files}/url` },
    ],
    'POST /sandbox/wallet-verification/{id}/fire-timer': [{}],
  };
}

function screeningWrites(target: Target): Record<string, Attempt[]> {
  const scanned = `/kyw/${encodeURIComponent(SCANNED)}/${target.selfHosted}`;
  const match = { screeningId: target.ids.screenings, listCode: 'OFAC_SDN', listingId: '1' };
  return {
    'POST /sanctions/search': [{ body: { name: 'Barnabas Ravenscroft', aliases: [target.customer] } }],
    'POST /sanctions/suppressions': [{ body: match }],
    'DELETE /sanctions/suppressions/{id}': [{}],
    // That somebody has registered an address is no secret (source NETWORK), unless heuristics alone are asked for.
    'GET /kyw/{blockchain}/{address}': [
      {},
      { path: scanned },
      { path: `/kyw/Ethereum/${target.destination}`, query: 'heuristicOnly=true' },
    ],
    'POST /counterparties/{entityId}/steps': [{ body: { kind: 'TERMINATED', note: 'stolen' } }],
    'PATCH /counterparties/{entityId}': [{ body: { policy: 'BLOCK', note: 'stolen' } }],
  };
}

function ruleWrites({ ids }: Target, own: OwnRecords): Record<string, Attempt[]> {
  const path = `/rule-engine/${own.configurationId}`;
  const rules = [rule({ id: ids.rules })];
  const source = { source: 'DRAFT', ...ALL_TIME };
  const input = { counterpartyEntityId: ids.transactions };
  return {
    'PATCH /rule-engine/{id}/draft': [
      { body: { rules, revision: 1 } },
      { path: `${path}/draft`, body: { rules, revision: own.revision } },
    ],
    'POST /rule-engine/{id}/simulate': [
      { body: { source: 'DRAFT', input } },
      { path: `${path}/simulate`, body: { source: 'DRAFT', input, rules } },
    ],
    'POST /rule-engine/{id}/publish': [
      { body: { comment: 'stolen' } },
      { path: `${path}/publish`, body: { comment: 'mine' } },
    ],
    'POST /rule-engine/{id}/restore': [{ body: { version: 1 } }],
    'POST /rule-engine/{id}/starter-sets/{name}/load': [{ body: {} }],
    'POST /rule-engine/{id}/replay': [
      { body: { transactionId: ids.archive } },
      { path: `${path}/replay`, body: { transactionId: ids.archive } },
    ],
    'POST /rule-engine/{id}/backtest': [{ body: source }, { path: `${path}/backtest`, body: source }],
    'GET /rule-engine/{id}/backtests/{backtestId}': [{}, { path: `${path}/backtests/${ids.backtests}` }],
    'POST /rule-engine/{id}/backtests/{backtestId}/cancel': [
      {},
      { path: `${path}/backtests/${ids.backtests}/cancel` },
    ],
    'DELETE /rule-engine/{id}/backtests/{backtestId}': [{}, { path: `${path}/backtests/${ids.backtests}` }],
  };
}

function tenantWrites(target: Target): Record<string, Attempt[]> {
  const range = { ...ALL_TIME, status: ['DELIVERED', 'FAILED', 'GAVE_UP'] };
  return {
    'PATCH /tenant/me': [{ body: { legalName: target.name } }, { body: { webhookUrl: target.webhookUrl } }],
    'PATCH /tenant/me/settings': [
      { body: { holdIncomplete: true } },
      { body: { branding: { displayName: target.name, logo: null } } },
    ],
    'POST /tenant/me/settings/logo': [{ form: [['file', png({ text: 'mine' }), 'a.png', 'image/png']] }],
    'POST /tenant/me/settings/icon': [{ form: [['file', png({ text: 'mine' }), 'a.png', 'image/png']] }],
    'POST /tenant/me/api-keys': [{ body: { name: target.name } }],
    'PATCH /tenant/me/api-keys/{id}': [
      { body: { allowedIps: ['203.0.113.7'] } },
      { body: { allowedIps: null } },
    ],
    'DELETE /tenant/me/api-keys/{id}': [{}],
    'PUT /tenant/me/service-keys': [{ body: { feature: 'aml_check', provider: 'builtin' } }],
    // Last of all, or the AML endpoints would answer nothing.
    'DELETE /tenant/me/service-keys/{feature}': [],
    'POST /tenant/me/webhook-deliveries/{id}/redeliver': [{}],
    'POST /tenant/me/webhook-deliveries/redeliver': [{ body: range }],
    'POST /tenant/me/webhook/rotate-secret': [{ body: {} }],
    'POST /tenant/me/webhook/test': [{}],
    'POST /tenant/me/brakes': [{ body: { kind: 'WEBHOOKS', reason: 'mine' } }],
    'POST /tenant/me/brakes/{id}/release': [{ body: {} }],
    'POST /exports': [
      {
        body: {
          resource: 'transactions',
          filter: { from: '2020-01-01T00:00:00Z' },
          format: 'JSON',
          purpose: target.name,
        },
      },
      {
        body: {
          resource: 'audit',
          filter: { userId: target.ids.users, apiKeyId: target.ids.apiKeys },
          format: 'CSV',
          purpose: target.name,
        },
      },
      {
        body: {
          resource: 'dossier',
          filter: { customerIdentification: target.customer },
          format: 'JSON',
          purpose: 'AUTHORITY',
        },
      },
    ],
    'GET /export-files/{token}': [{}],
    'POST /tenant/me/reports/{ym}': [{}],
    'GET /reports/{token}': [{}],
    'GET /identity': [{}],
    'GET /version': [{}],
    'GET /extensions': [{}],
    'GET /uptime': [{}],
    // Without the headers of TRP, and with a made-up token.
    'POST /trp/inquiries/{token}': [{ body: INQUIRY }, { body: INQUIRY, headers: TRP_HEADERS }],
    'POST /trp/resolutions/{token}': [
      { body: { rejected: 'no' } },
      { body: { rejected: 'no' }, headers: TRP_HEADERS },
    ],
    'POST /trp/confirmations/{token}': [
      { body: { canceled: 'no' } },
      { body: { canceled: 'no' }, headers: TRP_HEADERS },
    ],
  };
}

const TRP_HEADERS = { 'api-version': '3.2.1', 'request-identifier': 'c0ffee' };
const PERSON = {
  naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier: 'Mallory', nameIdentifierType: 'LEGL' }] } },
};
const INQUIRY = {
  asset: { slip0044: 60 },
  amount: 1,
  callback: 'https://mallory.example/in',
  IVMS101: { originator: { originatorPersons: [PERSON] }, beneficiary: { beneficiaryPersons: [PERSON] } },
};

/** Tokens are secrets of a user; whoever knows ids makes up some. That an e-mail address is taken is no secret. */
function userWrites({ ids, userEmail, otherEmail }: Target): Record<string, Attempt[]> {
  const bearing = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } });
  const password = PASSWORD;
  return {
    'POST /users': [{ body: { email: otherEmail, password } }],
    'PATCH /users/{id}': [{ body: { disabled: true } }, { body: { role: 'OBSERVER', name: 'stolen' } }],
    'POST /users/me/password': [{ body: { currentPassword: password, password: `${password}-2` } }],
    'POST /users/me/second-factor': [{ body: { currentPassword: password } }],
    'POST /users/me/second-factor/confirm': [{ body: { code: '123456' } }],
    'POST /users/me/second-factor/remove': [{ body: { currentPassword: password } }],
    'POST /users/invitations': [{ body: { email: otherEmail, role: 'ADMIN' } }],
    'POST /proposals/{id}/approve': [{}],
    'POST /proposals/{id}/refuse': [{}],
    'POST /proposals/{id}/withdraw': [{}],
    // For nobody: that somebody asks for a mail to the target is no attack on it.
    'POST /auth/password-reset': [{ body: { email: otherEmail } }],
    'POST /auth/password': [{ body: { token: ids.users, password } }],
    'POST /auth/signin': [{ body: { email: userEmail, password: `${password}-2` } }],
    'GET /auth/refresh': [{}, bearing(ids.users), bearing(`wbr_${ids.users}_${'A'.repeat(43)}`)],
    'GET /auth/logout': [{}, bearing(ids.users)],
    'POST /auth/session': [{ body: { email: userEmail, password: `${password}-2` } }],
    'DELETE /auth/session': [{}, { headers: { Cookie: `waybill=${ids.users}` } }],
  };
}

/** Endpoints that need no key and know no tenant. */
const OPEN: Record<string, Attempt[]> = {
  'GET /health/live': [{}],
  'GET /health/ready': [{}],
  'GET /metrics': [{}],
};

/** The hosted page is reached by a secret; what is known of a target is none. */
function hostedWrites({ ids }: Target): Record<string, Attempt[]> {
  const headers = { 'X-Verification-Token': ids.walletVerification };
  return {
    'GET /files/{token}': [{}],
    'GET /wallet/verification': [{ headers }, { headers: { 'X-Verification-Token': ids.files } }],
    'GET /wallet/verification/branding/{kind}': [{ headers, path: '/wallet/verification/branding/logo' }],
    'POST /wallet/verification/message': [{ headers }],
    'POST /wallet/verification/proof': [{ headers, body: { verificationFlow: 'SELF_DECLARED' } }],
    'POST /wallet/verification/additional-steps/{kind}': [
      { headers, form: [['files', png({ text: 'mine' }), 'a.png', 'image/png']] },
    ],
  };
}

/** So is the e-mail portal: without a token, with one that is made up, and with what is known. */
function portalWrites({ ids }: Target): Record<string, Attempt[]> {
  const holding = (token: string, session: string): Attempt => ({
    headers: { 'X-Portal-Token': token, 'X-Portal-Session': session },
  });
  const attempts: Attempt[] = [
    {},
    holding('A'.repeat(64), 'A'.repeat(43)),
    holding(ids.transactions, ids.transactions),
    holding(ids.incoming, ids.archive),
  ];
  const saying = (...bodies: object[]) =>
    bodies.flatMap((body) => attempts.map((attempt) => ({ ...attempt, body })));
  return {
    'GET /portal/link': attempts,
    'POST /portal/code': attempts,
    'POST /portal/session': saying({ code: '123456' }),
    'POST /portal/new-link': attempts,
    'GET /portal/message': attempts,
    'PATCH /portal/message': saying(
      { status: 'DECLINED' },
      { destinationConfirmed: true, beneficiary: { name: 'stolen' }, status: 'CONFIRMED' },
    ),
    'POST /portal/message/repair': saying({ fields: ['originator.name'] }),
    'GET /portal/claim': attempts,
    'PATCH /portal/claim': saying({ status: 'DECLINED' }),
    'POST /portal/claim/answer': saying({ originator: { name: 'Mallory' } }),
  };
}

/** What a hostile partner asks with the target's ids; its own message has the target's values and names it as its sender. */
function partnerWrites(target: Target, own: OwnRecords): Record<string, Attempt[]> {
  const { ids, destination, transactionHash, customer, name } = target;
  const incoming = `/partners/me/transactions/${ids.incoming}`;
  const message = {
    asset: 'ETH',
    amount: '1.5',
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL', transactionHash },
    originator: { name: customer },
    beneficiary: { name: customer },
    vaspInfo: { beneficiaryVaspName: own.tenantName, originatorVaspName: name },
  };
  const answer = { destinationConfirmed: true, status: 'CONFIRMED' };
  const repair = { fields: ['originator.name'], reason: 'stolen' };
  const saying = (body: object): Attempt[] => [{ isByTenant: true, body }, { body }];
  return {
    'GET /partners/me/transactions/{id}': [{ isByTenant: true }, {}, { path: incoming }],
    'PATCH /partners/me': [{ isByTenant: true, body: {} }, { body: { webhookUrl: target.webhookUrl } }],
    'POST /partners/me/transactions': [
      { isByTenant: true, body: message },
      { body: message },
      { body: { ...message, vaspInfo: { ...message.vaspInfo, beneficiaryVaspName: 'Nobody Known' } } },
    ],
    'PATCH /partners/me/transactions/{id}': [
      { isByTenant: true, body: answer },
      { body: answer },
      { body: { transactionHash } },
      { path: incoming, body: { status: 'DECLINED', statusReasoning: 'stolen' } },
      { path: incoming, body: { status: 'CANCELLED' } },
    ],
    'POST /partners/me/transactions/{id}/repair': [
      { isByTenant: true, body: repair },
      { body: repair },
      { path: `${incoming}/repair`, body: repair },
    ],
    'GET /partners/me/claims/{id}': [{ isByTenant: true }, {}],
    'PATCH /partners/me/claims/{id}': saying({ status: 'DECLINED', statusReasoning: 'stolen' }),
    'POST /partners/me/claims/{id}/answer': saying({ originator: { name: 'stolen' } }),
  };
}
