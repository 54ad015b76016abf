import { writeFileSync } from 'node:fs';
import { Secret, TOTP } from 'otpauth';
import { EXAMPLE_IDS as ID } from '../../../api/openapi/example-ids.ts';
import { EXAMPLE_ANSWERS } from '../../../api/openapi/example-answers.ts';
import { endpoints } from '../../../api/endpoints.ts';
import { sandboxEndpoints } from '../../../api/sandbox/sandbox-endpoints.ts';
import { ensureTestVasps } from '../../../db/tenants/ensure-test-vasps.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { TransferClaim } from '../../../domain/claims/schema.ts';
import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { allowMails, keptText } from '../../factories/portal.ts';
import { askedClaim, claimBody, createClaim, readClaim } from '../../factories/claim.ts';
import { reportableMonth } from '../../factories/reports.ts';
import { createReceivers } from '../../fakes/receivers.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { useFourEyes } from '../../factories/people.ts';
import { createTransaction, evmAddress, evmHash } from '../../factories/transaction.ts';
import { ensureGateways } from '../../../db/gateways/ensure-gateways.ts';
import { encodeTravelAddress } from '../../../domain/travel-address/travel-address.ts';
import { travelTokenIn } from '../../../domain/travel-address/travel-url.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { NAMED_OPERATORS, type Operator } from '../../factories/tenant-erasure.ts';
import { startTestSystem, type TestSystem } from '../../system.ts';
import { messageOf, transactionOf } from './openapi-story/messages.ts';
import { createPlayer, type OpenApiDocument } from './openapi-story/player.ts';

let system: TestSystem;
let document: OpenApiDocument;
let player: ReturnType<typeof createPlayer>;
let alpine: TestTenant;
let harbour: TestTenant;
const receivers = createReceivers();

beforeAll(async () => {
  const prices = { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } };
  system = await startTestSystem({
    keepsLists: true,
    prices,
    config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'], OPERATOR_KEYS: NAMED_OPERATORS },
  });
  await ensureTestVasps(system.db, new Date());
  await ensureGateways(system.db, new Date());
  const maduro = listEntry('22790', 'Nicolas Maduro Moros', { birthDates: ['1962-11-23'] });
  await activateList(system.db.pool, 'OFAC_SDN', [maduro]);
  alpine = await createTenant(system, { name: 'Alpine Exchange' });
  harbour = await createTenant(system, { name: 'Harbour Custody' });
  const { body } = await system.request<OpenApiDocument>('GET', '/openapi.json');
  document = body;
  player = createPlayer(document, system.url);
  const { port } = await receivers.receiver((_request, response) => void response.end());
  player.put('http://127.0.0.1:4000/alpine', `http://127.0.0.1:${port}/alpine`);
});
afterAll(async () => {
  await system.stop();
  await receivers.end();
});

const asOperator = async <T = Json>(operation: string, printed?: unknown) =>
  await player.play<T>(operation, { 'X-Operator-Key': system.operatorKey }, printed);
const as = async <T = Json>({ apiKey }: Pick<TestTenant, 'apiKey'>, operation: string, printed?: unknown) =>
  await player.play<T>(operation, { 'X-Api-Key': apiKey }, printed);
const bearing = ({ accessToken }: { accessToken: string }) => ({ Authorization: `Bearer ${accessToken}` });
const asNobody = async (operation: string) => await player.play(operation, {});

/** Plays examples one after the other. */
async function each(operations: string[], play: (operation: string) => Promise<unknown>): Promise<void> {
  for (const operation of operations) await play(operation);
}
const asEach = async (tenant: TestTenant, operations: string[]) =>
  await each(operations, async (operation) => await as(tenant, operation));

test('the operator makes a tenant', async () => {
  await each(['getLiveness', 'getReadiness', 'getMetrics'], asNobody);
  const { body } = await asOperator<{ tenant: Json }>('createTenant');
  player.put(ID.tenant, body.tenant['id']);
  await each(['listTenants', 'getTenantAsOperator', 'patchTenantAsOperator'], asOperator);
  await asOperator('createApiKeyAsOperator', ID.apiKey);
  await each(['listApiKeysAsOperator', 'revokeApiKeyAsOperator'], asOperator);
  await each(['suspendTenant', 'resumeTenant', 'getDeployment'], asOperator);
  await asOperator('listOperatorAuditLog');
  await asOperator('setBrakeAsOperator', ID.operatorBrake);
  await each(['listBrakesAsOperator', 'releaseBrakeAsOperator'], asOperator);
  await asOperator('attestAddress', ID.attestation);
  await each(['listAttestedAddresses', 'deleteAttestedAddress'], asOperator);
});

test('the operator makes a partner, which sets itself up', async () => {
  type Made = { partner: { id: string }; apiKey: { id: string; apiKey: string } };
  const { partner, apiKey } = (await asOperator<Made>('createPartner')).body;
  player.put(ID.partner, partner.id);
  const asPartner = async (operation: string) =>
    await player.play(operation, { 'X-Partner-Api-Key': apiKey.apiKey });
  await each(['getPartner', 'patchPartner', 'sendPartnerMessage', 'listPartnerTransactions'], asPartner);
  player.put(ID.partnerTransaction, await arrivedAt(apiKey.apiKey));
  await each(['getPartnerTransaction', 'requestPartnerRepair', 'patchPartnerTransaction'], asPartner);
  player.put(ID.partnerClaim, await claimedOf(apiKey.apiKey));
  await each(['listPartnerClaims', 'getPartnerClaim', 'answerPartnerClaim'], asPartner);
  player.put(ID.partnerClaim, await claimedOf(apiKey.apiKey));
  await asPartner('patchPartnerClaim');
  await asOperator('createPartnerKey', ID.partnerKey);
  await each(['listPartners', 'listPartnerKeys', 'revokePartnerKey'], asOperator);
});

/** A claim of Alpine to the VASP on the network of the partner; its id there. */
async function claimedOf(partnerKey: string): Promise<string> {
  const headers = { 'X-Partner-Api-Key': partnerKey };
  const path = '/partners/me/claims?_status=DELIVERED';
  await createClaim(alpine, { vaspInfo: { originatorVaspName: 'Straits Digital' }, beneficiary: CUSTOMER });
  const list = async () => (await system.request<{ id: string }[]>('GET', path, { headers })).body;
  const [claim] = await eventually(list, ({ length }) => length > 0);
  return claim?.id ?? '';
}

const CUSTOMER = { name: 'Jonas Brandt' };

/** A message of Alpine to a VASP on the network of the partner; its id there. */
async function arrivedAt(partnerKey: string): Promise<string> {
  const body = { name: 'Straits Digital', type: 'exchange', networks: ['PARTNER:Aurora Network'] };
  const { operatorKey } = system;
  await system.request('POST', '/operator/entities', { operatorKey, body });
  await createTransaction(alpine, { vaspInfo: { beneficiaryVaspName: 'Straits Digital' } });
  const headers = { 'X-Partner-Api-Key': partnerKey };
  const path = '/partners/me/transactions?_direction=INCOMING';
  const list = async () => (await system.request<{ id: string }[]>('GET', path, { headers })).body;
  const [message] = await eventually(list, ({ length }) => length > 0);
  const id = message?.id ?? '';
  const [confirmed, confirming] = [{ destinationConfirmed: true }, `/partners/me/transactions/${id}`];
  await system.request('PATCH', confirming, { headers, body: confirmed });
  return id;
}

test('a tenant sets itself up', async () => {
  await asEach(alpine, ['getTenant', 'patchTenant', 'rotateWebhookSecret', 'getTenantSettings']);
  await as(alpine, 'patchTenantSettings');
  await as(alpine, 'getStatistics');
  await as(alpine, 'createApiKey', ID.apiKey);
  await asEach(alpine, ['listApiKeys', 'patchApiKey', 'revokeApiKey', 'putServiceKey', 'listServiceKeys']);
  await asEach(alpine, ['uploadLogo', 'uploadIcon']);
});

test('a user is made, signs in, stays signed in and signs out', async () => {
  const asUser = async (operation: string, token: unknown) =>
    await player.play<Json>(operation, { Authorization: `Bearer ${String(token)}` });
  const { user } = (await as<{ user: Json }>(alpine, 'createUser')).body;
  player.put(ID.user, user['id']);
  await as(alpine, 'listUsers');
  await each(['startPageSession', 'endPageSession'], asNobody);
  await as(alpine, 'listAuditLog');
  const { accessToken, refreshToken } = (await asNobody('signIn')).body;
  await each(
    ['getSignedInUser', 'changePassword'],
    async (operation) => await asUser(operation, accessToken),
  );
  const { secret } = (await asUser('setUpSecondFactor', accessToken)).body;
  player.put('123456', new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate());
  await asUser('confirmSecondFactor', accessToken);
  await asUser('removeSecondFactor', accessToken);
  await asUser('refreshTokens', refreshToken);
  await asUser('logOut', accessToken);
  expect((await as(alpine, 'patchUser')).body).toMatchObject({ role: 'OBSERVER' });
  expect((await asOperator('releaseEmailAddress')).body).toEqual({ userId: user['id'], tenantId: alpine.id });
});

test('a user is invited, and sets a password by the link of the mail', async () => {
  await as(alpine, 'inviteUser');
  const mailbox = async () => await (await fetch(`${system.url}/mailbox`)).text();
  const text = await eventually(mailbox, (mails) => mails.includes('marco.bianchi@'));
  const [, token] = /marco\.bianchi@[^]*?\/password#([\w-]{43})/.exec(text) ?? [];
  player.put('Zk3v0cXW1yJ8q2mB5nT7rL4pA6sD9fGhUeRiOtYwQxC', token);
  await asNobody('setPassword');
  await asNobody('requestPasswordReset');
});

test('webhooks arrive, are listed and are sent again', async () => {
  const { id } = (await as(alpine, 'sendTestWebhook', ID.delivery)).body;
  const arrived = async () => {
    await eventually(
      async () => (await alpine.get(`/tenant/me/webhook-deliveries/${String(id)}`)).body,
      ({ status }) => status === 'DELIVERED',
    );
  };
  await arrived();
  await asEach(alpine, ['listWebhookDeliveries', 'getWebhookDelivery', 'redeliverWebhook']);
  await arrived();
  await as(alpine, 'redeliverWebhooks');
});

test('the report of a month is made, listed and downloaded', async () => {
  player.put(ID.month, reportableMonth());
  await asEach(alpine, ['makeReport', 'listReports']);
  const { body } = await as<{ url: string }>(alpine, 'getReportUrl');
  player.put(ID.reportToken, body.url.split('/').at(-1));
  await asNobody('downloadReport');
});

test('the other tenant registers its wallets', async () => {
  await as(alpine, 'listBlockchains');
  await as(harbour, 'createWallet', ID.wallet);
  await asEach(harbour, ['listWallets', 'getWallet', 'patchWallet', 'confirmWallets']);
  await as(harbour, 'importWallets', ID.walletImport);
  await as(harbour, 'getWalletImport');
});

describe('a message', () => {
  test('is sent, received and declined', async () => {
    await as(alpine, 'preflightTransaction');
    const { id } = (await as(alpine, 'createTransaction', ID.transaction)).body;
    const sent = await transactionOf(alpine, id, ({ status }) => status === 'DELIVERED');
    expect(sent.clearance.outcome).toBe('WAIT');
    await asEach(alpine, ['getTransaction', 'getTransactionScreening', 'listTransactionDecisions']);
    await as(alpine, 'resendTransactionWebhooks');
    const { body } = await as<Transaction[]>(harbour, 'listTransactions');
    player.put(ID.transaction, body[0]?.id);
    await as(harbour, 'requestRepair');
    await as(harbour, 'patchTransaction');
    const declined = await transactionOf(alpine, id, ({ status }) => status === 'DECLINED');
    expect(declined.statusReasonCode).toBe('NAME_MISMATCH');
    player.put(ID.transaction, id);
    await asEach(alpine, ['listTransactionEvents', 'getTransactionEvidence']);
    await asEach(alpine, ['deleteTransaction', 'getArchivedTransaction']);
    await asOperator('listTransactionEventsAsOperator');
  });

  test('comes from a test VASP', async () => {
    expect((await as(harbour, 'receiveFromTestVasp')).body).toMatchObject({ direction: 'INCOMING' });
  });

  test('of a listed person is held until it is reviewed', async () => {
    const { body } = await alpine.post<Transaction>('/transactions', messageOf('Nicolas Maduro Moros'));
    await transactionOf(alpine, body.id, ({ subStatus }) => subStatus === 'ON_HOLD');
    player.put(ID.transaction, body.id);
    await as(alpine, 'reviewTransaction');
  });

  test('that finds no VASP in time fails, and is tried again', async () => {
    const vaspInfo = { beneficiaryVaspName: 'Nobody Knows This Exchange' };
    const { body } = await alpine.post<Transaction>('/transactions', messageOf('Anna Keller', vaspInfo));
    await transactionOf(alpine, body.id, ({ subStatus }) => subStatus === 'VASP_NOT_FOUND');
    player.put(ID.transaction, body.id);
    await as(alpine, 'proceedTransaction');
    await as(alpine, 'fireTransactionTimer');
    await transactionOf(alpine, body.id, ({ status }) => status === 'FAILED');
    await as(alpine, 'retryTransaction');
  });
});

test('a VASP on no network opens a message by e-mail, and confirms it', async () => {
  await allowMails(system, alpine);
  const vaspInfo = { beneficiaryVaspName: 'Nobody Knows', beneficiaryVaspEmail: 'ops@nobody.example' };
  const { body } = await alpine.post<Transaction>('/transactions', messageOf('Anna Keller', vaspInfo));
  await transactionOf(alpine, body.id, ({ subStatus }) => subStatus === 'EMAIL_SENT');
  const headers = { 'X-Portal-Token': await keptText(system, /portal#([\w-]+)/) };
  const asVasp = async (operation: string) => await player.play(operation, headers);
  await each(['getPortalLink', 'requestPortalCode'], asVasp);
  player.put(ID.portalCode, await keptText(system, /The code is (\d{6})/));
  const { body: opened } = await asVasp('startPortalSession');
  Object.assign(headers, { 'X-Portal-Session': opened['session'] });
  const confirmed = { headers, body: { destinationConfirmed: true } };
  await system.request('PATCH', '/portal/message', confirmed);
  await each(['requestPortalRepair', 'getPortalMessage', 'answerPortalMessage', 'renewPortalLink'], asVasp);
});

test('a VASP on no network reads a claim by e-mail, and answers or refuses it', async () => {
  for (const operation of ['answerPortalClaim', 'patchPortalClaim']) {
    const originatorVaspEmail = `${operation.toLowerCase()}@nobody.example`;
    const { id } = await createClaim(alpine, { vaspInfo: { originatorVaspEmail }, beneficiary: CUSTOMER });
    await eventually(
      async () => await readClaim(alpine, id),
      ({ travelRuleMessageSource: source }) => source === 'EMAIL',
    );
    const headers = { 'X-Portal-Token': await keptText(system, /portal#([\w-]+)[^]*?answer is expected/) };
    const codeSent = async () => await keptText(system, /The code is (\d{6})/);
    const before = await codeSent();
    await system.request('POST', '/portal/code', { headers, body: {} });
    const code = await eventually(codeSent, (sent) => sent !== before);
    const opened = await system.request('POST', '/portal/session', { headers, body: { code } });
    Object.assign(headers, { 'X-Portal-Session': opened.body['session'] });
    await each(['getPortalClaim', operation], async (played) => await player.play(played, headers));
  }
});

test('a claim is made, taken back, answered, and expires', async () => {
  await as(harbour, 'createClaim', ID.claim);
  await asEach(harbour, ['listClaims', 'getClaim', 'patchClaim', 'listClaimEvents']);
  const asking = { ...claimBody(), vaspInfo: { originatorVaspName: 'Alpine Exchange' } };
  const made = await harbour.post<TransferClaim>('/claims', asking);
  const asked = await eventually(
    async () => await askedClaim(alpine, made.body),
    (claim) => claim !== undefined,
  );
  player.put(ID.claim, asked?.id);
  await as(alpine, 'answerClaim');
  // Of a VASP that says nothing: any other answer could end the claim before its time does.
  const unanswered = { ...claimBody(), vaspInfo: { originatorVaspName: 'Silent Test VASP' } };
  player.put(ID.claim, (await harbour.post<TransferClaim>('/claims', unanswered)).body.id);
  await as(harbour, 'fireClaimTimer');
});

test('a recorded deposit without a message is found, claimed, and what became of its coins recorded', async () => {
  const { id } = await createTransaction(harbour, {
    direction: 'INCOMING',
    blockchainInfo: { blockchain: 'Ethereum', transactionHash: evmHash() },
  });
  await system.db.pool.query(`update transactions set created_at = now() - interval '2 days' where id = $1`, [
    id,
  ]);
  player.put(ID.transaction, id);
  const { body } = await as<unknown[]>(harbour, 'listReconciliation');
  expect(body).toMatchObject([{ transactionId: id, nextAction: 'CLAIM' }]);
  await asEach(harbour, ['claimTransaction', 'recordAssetsDisposition', 'setLegalHold', 'getLegalHold']);
});

describe('a self-hosted wallet', () => {
  async function verification(): Promise<WalletVerification> {
    return (await as<WalletVerification>(alpine, 'createVerification', ID.verification)).body;
  }

  test('is proven through the API, with a selfie', async () => {
    const { id } = await verification();
    const given = await as<WalletVerification>(alpine, 'submitAdditionalStep');
    player.put(ID.file, given.body.additionalSteps[0]?.documents[0]?.id);
    await asEach(alpine, ['listVerificationFiles', 'getAdditionalStepDocumentUrl']);
    const { body } = await as<{ url: string }>(alpine, 'getVerificationFileUrl');
    player.put(ID.fileToken, body.url.split('/').at(-1));
    await asNobody('downloadFile');
    await asEach(alpine, ['reviewAdditionalStep', 'patchVerification', 'submitVerificationProof']);
    await asEach(alpine, ['getVerification', 'listVerifications', 'listVerificationEvents']);
    expect((await as<WalletVerification>(alpine, 'revokeVerification')).body).toMatchObject({
      id,
      status: 'DECLINED',
    });
  });

  test('is proven on the hosted page', async () => {
    const { token } = await verification();
    const asOwner = async (operation: string) =>
      await player.play(operation, { 'X-Verification-Token': token ?? '' });
    await each(['getHostedVerification', 'getHostedPicture'], asOwner);
    await each(['createHostedMessage', 'submitHostedStep'], asOwner);
    expect((await asOwner('submitHostedProof')).body).toMatchObject({ status: 'VERIFIED' });
  });

  test('is not proven in time', async () => {
    const { id } = await verification();
    await as(alpine, 'fireVerificationTimer');
    await eventually(
      async () => (await alpine.get(`/wallet-verification/${id}`)).body,
      ({ status }) => status === 'FAILED',
    );
    await as(alpine, 'deleteVerification');
    await asOperator('listVerificationEventsAsOperator');
  });
});

test('names and wallets are screened', async () => {
  const { body: screening } = await as(alpine, 'searchSanctions', ID.screening);
  expect(screening).toMatchObject({ sanctioned: true });
  await asEach(alpine, ['screenAddress', 'listSanctionsScreenings', 'getSanctionsScreening']);
  await as(alpine, 'createSanctionsSuppression', ID.suppression);
  await asEach(alpine, ['listSanctionsSuppressions', 'deleteSanctionsSuppression']);
  await as(alpine, 'classifyWallet', ID.walletCheck);
  await asEach(alpine, ['listWalletChecks', 'getWalletCheck']);
});

test('an AML provider is asked', async () => {
  await as(alpine, 'searchAml');
  await as(alpine, 'analyseWallet', ID.amlCheck);
  await asEach(alpine, ['analyseTransaction', 'listAmlHistory', 'recheckAml', 'listAmlReceivers']);
  await asEach(alpine, ['listAmlWalletTransactions', 'deleteServiceKey']);
});

describe('rules', () => {
  test('are drafted, tried out and published', async () => {
    const { body } = await as<{ id: string; direction: string }[]>(alpine, 'listRuleConfigurations');
    player.put(ID.ruleConfiguration, body.find(({ direction }) => direction === 'OUTGOING')?.id);
    await asEach(alpine, ['listRuleFields', 'listRuleStarterSets', 'patchRuleDraft', 'simulateRules']);
    await asEach(alpine, ['publishRules', 'listRuleVersions', 'getRuleVersion', 'getRuleConfiguration']);
    await asEach(alpine, ['restoreRuleVersion', 'loadRuleStarterSet']);
  });

  test('decide, and the decision is reproduced', async () => {
    const { body } = await alpine.post<Transaction>('/transactions', {
      ...messageOf('Anna Keller'),
      amount: '3',
    });
    await transactionOf(alpine, body.id, ({ clearance }) => clearance.reasons.includes('RULE'));
    player.put(ID.transaction, body.id);
    await asEach(alpine, ['listTransactionDecisions', 'replayRuleDecision']);
  });

  test('are tried on the past', async () => {
    await as(alpine, 'startRuleBacktest', ID.backtest);
    await as(alpine, 'cancelRuleBacktest');
    await asEach(alpine, ['listRuleBacktests', 'getRuleBacktest', 'deleteRuleBacktest']);
  });
});

test('what a rule has blocked is sent once more', async () => {
  const { body } = await as<{ id: string; direction: string; draft: { revision: number } }[]>(
    alpine,
    'listRuleConfigurations',
  );
  const { id, draft } = body.find(({ direction }) => direction === 'OUTGOING') ?? {};
  const conditions = { all: [{ field: 'asset', operator: 'EQ', value: 'ETH' }] };
  const rules = [{ name: 'No ETH', conditions, decision: 'BLOCK' }];
  await alpine.patch(`/rule-engine/${id}/draft`, { rules, revision: draft?.revision });
  await alpine.post(`/rule-engine/${id}/publish`, { comment: 'No ETH today.' });
  const blocked = await alpine.post<Transaction>('/transactions', messageOf('Anna Keller'));
  await transactionOf(alpine, blocked.body.id, ({ subStatus }) => subStatus === 'BLOCKED_BY_RULE');
  player.put(ID.transaction, blocked.body.id);
  await as(alpine, 'resubmitTransaction');
});

test('two people agree, refuse and withdraw', async () => {
  const [, second] = await useFourEyes(system, alpine, { rules: true });
  await as(alpine, 'listWorkItems');
  const { body } = await alpine.get<{ id: string }[]>('/rule-engine');
  for (const operation of ['withdrawProposal', 'refuseProposal', 'approveProposal']) {
    const proposed = await alpine.post(`/rule-engine/${body[0]?.id}/publish`, { comment: 'Agreed by two.' });
    player.put(ID.proposal, (proposed.body['proposal'] as Json)['id']);
    await as(alpine, 'listProposals');
    const person = operation === 'withdrawProposal' ? { 'X-Api-Key': alpine.apiKey } : bearing(second);
    await player.play(operation, person);
  }
});

test('the directory knows both sides', async () => {
  await as(alpine, 'listEntities');
  await as(alpine, 'lookupEntity', ID.entity);
  await asEach(alpine, [
    'getEntity',
    'patchCounterparty',
    'addCounterpartyStep',
    'downloadCounterparties',
    'getCounterparty',
    'listCounterparties',
  ]);
});

test('the operator keeps the directory and the labels', async () => {
  const { body } = await system.request('POST', '/operator/entities', {
    operatorKey: system.operatorKey,
    body: { name: 'Fjord Exchange Norway', type: 'exchange' },
  });
  player.put(ID.masterEntity, body['id']);
  await asOperator('createEntity', ID.entity);
  await asOperator('importEntities');
  const kept = [
    'listEntitiesAsOperator',
    'getEntityAsOperator',
    'patchEntity',
    'mergeEntity',
    'deleteEntity',
  ];
  await each([...kept, 'importLabels', 'listLabelSources', 'deleteLabelSource'], asOperator);
});

test('the operator keeps the sanctions lists', async () => {
  await asOperator('uploadSanctionsList');
  await each(['listSanctionsLists', 'listSanctionsListVersions', 'listSanctionsListChanges'], asOperator);
  const form = new FormData();
  form.append(
    'file',
    new Blob(['id,type,name\nC-1,NATURAL,Casimir Blackwood\nC-2,NATURAL,Another\n']),
    'list.csv',
  );
  form.append('format', 'CSV');
  await fetch(`${system.url}/operator/lists/OWN_LIST/versions`, {
    method: 'POST',
    headers: { 'X-Operator-Key': system.operatorKey },
    body: form,
  });
  await asOperator('rollBackSanctionsList');
});

test('a tenant takes a copy of its transactions away', async () => {
  const { body } = await as<{ id: string }>(alpine, 'createExport', ID.export);
  const status = async () => (await alpine.get<{ status: string }>(`/exports/${body.id}`)).body.status;
  await eventually(status, (now) => now === 'READY');
  await asEach(alpine, ['listExports', 'getExport', 'getExportManifest']);
  const link = await as<{ url: string }>(alpine, 'getExportUrl');
  player.put(ID.exportToken, link.body.url.split('/').at(-1) ?? '');
  await asNobody('downloadExport');
});

test('an admin holds messages back for a while', async () => {
  await as(alpine, 'setBrake', ID.brake);
  await asEach(alpine, ['listBrakes', 'releaseBrake']);
});

test('everything that happened is in the feed', async () => {
  await asEach(alpine, ['listChanges', 'listEventSeals']);
  await as(harbour, 'deleteWallet');
  await as(harbour, 'createWallet', ID.wallet);
  await as(harbour, 'deleteWallets');
});

test('another VASP sends a message by TRP, and gets one', async () => {
  const told: Record<string, string>[] = [];
  const { port } = await receivers.receiver((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      told.push({ body: text, identifier: String(request.headers['request-identifier']) });
      response.setHeader('Content-Type', 'application/json');
      response.end('{"version":"3.2.1"}');
    });
  });
  const other = `http://127.0.0.1:${port}/trp/resolution`;
  const tokenIn = (text: string, kind: string) => new RegExp(`/trp/${kind}/([\\w-]+)`).exec(text)?.[1];
  const heard = async (kind: string) =>
    await eventually(
      () => told.findLast(({ body }) => tokenIn(body ?? '', kind) !== undefined),
      (notice) => notice !== undefined,
    );
  player.put('http://127.0.0.1:4000/trp/resolution', other);
  system.config.TRP_HOSTS = new Map([[new URL(system.url).host, alpine.id]]);
  await each(['getTrpIdentity', 'getTrpVersion', 'getTrpExtensions', 'getTrpUptime'], asNobody);

  const address = evmAddress();
  const { body } = await alpine.post<{ id: number }>('/wallets', {
    address,
    asset: 'ETH',
    blockchain: 'Ethereum',
  });
  player.put(ID.wallet, body.id);
  const { travelAddress } = (await as<{ travelAddress: string }>(alpine, 'getTravelAddress')).body;
  player.put(ID.travelToken, travelTokenIn(travelAddress));
  const inquiry = { 'api-version': '3.2.1', 'request-identifier': 'b7b1d4a0-0001' };
  await player.play('receiveTrpInquiry', inquiry);
  const path = `/transactions?_direction=INCOMING&_destination=${address}`;
  const [incoming] = (await alpine.get<Transaction[]>(path)).body;
  await alpine.patch(`/transactions/${incoming?.id}`, { status: 'CONFIRMED' });
  const approval = await heard('confirmations');
  player.put(ID.confirmationToken, tokenIn(approval?.['body'] ?? '', 'confirmations'));
  await player.play('receiveTrpConfirmation', inquiry);

  const elsewhere = encodeTravelAddress(new URL(`http://127.0.0.1:${port}/x?t=i`), {
    environment: 'sandbox',
    allowedHosts: ['127.0.0.1'],
  });
  const beneficiaryTravelAddress = elsewhere.ok ? elsewhere.travelAddress : '';
  // One without the rules of the story.
  const sender = await createTenant(system);
  await createTransaction(sender, { vaspInfo: { beneficiaryTravelAddress } });
  const sent = await heard('resolutions');
  player.put(ID.resolutionToken, tokenIn(sent?.['body'] ?? '', 'resolutions'));
  await player.play('receiveTrpResolution', {
    'api-version': '3.2.1',
    'request-identifier': sent?.['identifier'] ?? '',
  });
});

test('two operators erase the tenant', async () => {
  const by = (wanted: Operator) => async (operation: string) => {
    const operatorKey = NAMED_OPERATORS.find(({ name }) => name === wanted)?.key ?? '';
    const printed = operation === 'planErasure' ? ID.erasure : undefined;
    await player.play(operation, { 'X-Operator-Key': operatorKey }, printed);
  };
  await each(['planErasure', 'getErasure', 'callOffErasure', 'planErasure'], by('ada'));
  await each(['approveErasure', 'listErasures', 'fireErasureTimer'], by('ben'));
});

describe('afterwards', () => {
  const all = [...endpoints, ...sandboxEndpoints];

  test('the example of every operation has been played', () => {
    expect([...player.played.keys()].toSorted()).toEqual(
      all.map(({ operationId }) => operationId).toSorted(),
    );
  });

  // WAYBILL_EXAMPLE_ANSWERS, the path of example-answers.json, writes the answers of this run into the document.
  test('the answers in the document have the form of the answers that came', () => {
    const answers = Object.fromEntries([...player.played].filter(([, answer]) => answer !== undefined));
    const file = process.env['WAYBILL_EXAMPLE_ANSWERS'];
    if (file !== undefined) writeFileSync(file, `${JSON.stringify(answers, null, 2)}\n`);
    expect(Object.keys(EXAMPLE_ANSWERS).toSorted()).toEqual(Object.keys(answers).toSorted());
  });
});
