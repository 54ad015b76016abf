import { writeFileSync } from 'node:fs';
import { EXAMPLE_IDS as ID } from '../../../api/openapi/example-ids.ts';
import { EXAMPLE_ANSWERS } from '../../../api/openapi/example-answers.ts';
import { endpoints, sandboxEndpoints } from '../../../api/endpoints.ts';
import { ensureTestVasps } from '../../../db/tenants/ensure-test-vasps.ts';
import type { Transaction } from '../../../domain/transactions/schema.ts';
import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import type { Json } from '../../api-client.ts';
import { eventually } from '../../eventually.ts';
import { createReceivers } from '../../fakes/receivers.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTenant, type Client, type TestTenant } from '../../factories/tenant.ts';
import { startTestSystem, type TestSystem } from '../../system.ts';
import { createPlayer, type OpenApiDocument } from './openapi-story/player.ts';

let system: TestSystem;
let document: OpenApiDocument;
let player: ReturnType<typeof createPlayer>;
let alpine: TestTenant;
let harbour: TestTenant;
const receivers = createReceivers();

beforeAll(async () => {
  const prices = { ETH: { usd: '4000', eur: '3600', source: 'test', pricedAt: new Date() } };
  system = await startTestSystem({ prices, config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
  await ensureTestVasps(system.db, new Date());
  const maduro = listEntry('22790', 'Nicolas Maduro Moros', {
    birthDates: ['1962-11-23'],
  });
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
const asNobody = async (operation: string) => await player.play(operation, {});

const transactionOf = async (tenant: Client, id: unknown, fits: (read: Transaction) => boolean) =>
  await eventually(async () => (await tenant.get<Transaction>(`/transactions/${String(id)}`)).body, fits);

test('the operator makes a tenant', async () => {
  for (const operation of ['getLiveness', 'getReadiness', 'getMetrics']) await asNobody(operation);
  const { body } = await asOperator<{ tenant: Json }>('createTenant');
  player.put(ID.tenant, body.tenant['id']);
  for (const operation of ['listTenants', 'patchTenantAsOperator', 'createApiKeyAsOperator']) {
    await asOperator(operation);
  }
  await asOperator('attestAddress', ID.attestation);
  await asOperator('listAttestedAddresses');
  await asOperator('deleteAttestedAddress');
});

test('a tenant sets itself up', async () => {
  for (const operation of ['getTenant', 'patchTenant', 'rotateWebhookSecret', 'getTenantSettings']) {
    await as(alpine, operation);
  }
  await as(alpine, 'patchTenantSettings');
  await as(alpine, 'createApiKey', ID.apiKey);
  await as(alpine, 'listApiKeys');
  await as(alpine, 'revokeApiKey');
  await as(alpine, 'putServiceKey');
  await as(alpine, 'listServiceKeys');
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
  await as(alpine, 'listWebhookDeliveries');
  await as(alpine, 'getWebhookDelivery');
  await as(alpine, 'redeliverWebhook');
  await arrived();
  await as(alpine, 'redeliverWebhooks');
});

test('the other tenant registers its wallets', async () => {
  await as(alpine, 'listBlockchains');
  await as(harbour, 'createWallet', ID.wallet);
  for (const operation of ['listWallets', 'getWallet', 'patchWallet', 'confirmWallets']) {
    await as(harbour, operation);
  }
  await as(harbour, 'importWallets', ID.walletImport);
  await as(harbour, 'getWalletImport');
});

describe('a message', () => {
  test('is sent, received and declined', async () => {
    const { id } = (await as(alpine, 'createTransaction', ID.transaction)).body;
    const sent = await transactionOf(alpine, id, ({ status }) => status === 'DELIVERED');
    expect(sent.clearance.outcome).toBe('WAIT');
    for (const operation of ['getTransaction', 'getTransactionScreening', 'listTransactionDecisions']) {
      await as(alpine, operation);
    }
    await as(alpine, 'resendTransactionWebhooks');
    const { body } = await as<Transaction[]>(harbour, 'listTransactions');
    player.put(ID.transaction, body[0]?.id);
    await as(harbour, 'patchTransaction');
    const declined = await transactionOf(alpine, id, ({ status }) => status === 'DECLINED');
    expect(declined.statusReasonCode).toBe('NAME_MISMATCH');
    player.put(ID.transaction, id);
    await as(alpine, 'listTransactionEvents');
    await as(alpine, 'deleteTransaction');
    await as(alpine, 'getArchivedTransaction');
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
    await as(alpine, 'fireTransactionTimer');
    await transactionOf(alpine, body.id, ({ status }) => status === 'FAILED');
    await as(alpine, 'retryTransaction');
  });
});

const messageOf = (originator: string, vaspInfo?: Json) => ({
  asset: 'ETH',
  amount: '1',
  blockchainInfo: {
    blockchain: 'Ethereum',
    destination: '0x27b1fdb04752bbc536007a920d24acb045561c26',
    destinationType: 'CUSTODIAL',
  },
  originator: { type: 'NATURAL', name: originator },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  ...(vaspInfo && { vaspInfo }),
});

describe('a self-hosted wallet', () => {
  async function verification(): Promise<WalletVerification> {
    return (await as<WalletVerification>(alpine, 'createVerification', ID.verification)).body;
  }

  test('is proven through the API, with a selfie', async () => {
    const { id } = await verification();
    const given = await as<WalletVerification>(alpine, 'submitAdditionalStep');
    player.put(ID.file, given.body.additionalSteps[0]?.documents[0]?.id);
    for (const operation of ['listVerificationFiles', 'getAdditionalStepDocumentUrl']) {
      await as(alpine, operation);
    }
    const { body } = await as<{ url: string }>(alpine, 'getVerificationFileUrl');
    player.put(ID.fileToken, body.url.split('/').at(-1));
    await asNobody('downloadFile');
    for (const operation of ['reviewAdditionalStep', 'patchVerification', 'submitVerificationProof']) {
      await as(alpine, operation);
    }
    for (const operation of ['getVerification', 'listVerifications', 'listVerificationEvents']) {
      await as(alpine, operation);
    }
    expect((await as<WalletVerification>(alpine, 'revokeVerification')).body).toMatchObject({
      id,
      status: 'DECLINED',
    });
  });

  test('is proven on the hosted page', async () => {
    const { token } = await verification();
    const asOwner = async (operation: string) =>
      await player.play(operation, { 'X-Verification-Token': token ?? '' });
    for (const operation of ['getHostedVerification', 'createHostedMessage', 'submitHostedStep']) {
      await asOwner(operation);
    }
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
  });
});

test('names and wallets are screened', async () => {
  const { body: screening } = await as(alpine, 'searchSanctions', ID.screening);
  expect(screening).toMatchObject({ sanctioned: true });
  for (const operation of ['screenAddress', 'listSanctionsScreenings', 'getSanctionsScreening']) {
    await as(alpine, operation);
  }
  await as(alpine, 'createSanctionsSuppression', ID.suppression);
  await as(alpine, 'listSanctionsSuppressions');
  await as(alpine, 'deleteSanctionsSuppression');
  await as(alpine, 'classifyWallet', ID.walletCheck);
  await as(alpine, 'listWalletChecks');
  await as(alpine, 'getWalletCheck');
});

test('an AML provider is asked', async () => {
  await as(alpine, 'searchAml');
  await as(alpine, 'analyseWallet', ID.amlCheck);
  for (const operation of ['analyseTransaction', 'listAmlHistory', 'recheckAml', 'listAmlReceivers']) {
    await as(alpine, operation);
  }
  await as(alpine, 'listAmlWalletTransactions');
  await as(alpine, 'deleteServiceKey');
});

describe('rules', () => {
  test('are drafted, tried out and published', async () => {
    const { body } = await as<{ id: string; direction: string }[]>(alpine, 'listRuleConfigurations');
    player.put(ID.ruleConfiguration, body.find(({ direction }) => direction === 'OUTGOING')?.id);
    for (const operation of ['listRuleFields', 'listRuleStarterSets', 'patchRuleDraft', 'simulateRules']) {
      await as(alpine, operation);
    }
    const published = ['publishRules', 'listRuleVersions', 'getRuleVersion', 'getRuleConfiguration'];
    for (const operation of published) await as(alpine, operation);
    await as(alpine, 'restoreRuleVersion');
    await as(alpine, 'loadRuleStarterSet');
  });

  test('decide, and the decision is reproduced', async () => {
    const { body } = await alpine.post<Transaction>('/transactions', {
      ...messageOf('Anna Keller'),
      amount: '3',
    });
    await transactionOf(alpine, body.id, ({ clearance }) => clearance.reasons.includes('RULE'));
    player.put(ID.transaction, body.id);
    await as(alpine, 'listTransactionDecisions');
    await as(alpine, 'replayRuleDecision');
  });

  test('are tried on the past', async () => {
    const { id } = (await as(alpine, 'startRuleBacktest', ID.backtest)).body;
    await as(alpine, 'cancelRuleBacktest');
    for (const operation of ['listRuleBacktests', 'getRuleBacktest', 'deleteRuleBacktest']) {
      await as(alpine, operation);
    }
    expect(id).toBeDefined();
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

test('the directory knows both sides', async () => {
  await as(alpine, 'listEntities');
  await as(alpine, 'lookupEntity', ID.entity);
  for (const operation of ['getEntity', 'patchCounterparty', 'getCounterparty', 'listCounterparties']) {
    await as(alpine, operation);
  }
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
  for (const operation of [...kept, 'importLabels', 'listLabelSources', 'deleteLabelSource']) {
    await asOperator(operation);
  }
});

test('the operator keeps the sanctions lists', async () => {
  await asOperator('uploadSanctionsList');
  for (const operation of ['listSanctionsLists', 'listSanctionsListVersions', 'listSanctionsListChanges']) {
    await asOperator(operation);
  }
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

test('everything that happened is in the feed', async () => {
  await as(alpine, 'listChanges');
  await as(alpine, 'listEventSeals');
  await as(harbour, 'deleteWallet');
  await as(harbour, 'createWallet', ID.wallet);
  await as(harbour, 'deleteWallets');
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

  test.each(
    all
      .filter(({ operationId }) => operationId in EXAMPLE_ANSWERS)
      .map((endpoint) => [endpoint.operationId, endpoint] as const),
  )('the answer of %s fits its schema', (operationId, { responses }) => {
    const schemas = Object.entries(responses).flatMap(([status, { schema }]) =>
      Number(status) < 300 && schema ? [schema] : [],
    );
    const answer = EXAMPLE_ANSWERS[operationId];
    expect(schemas.some((schema) => schema.safeParse(answer).success)).toBe(true);
  });
});
