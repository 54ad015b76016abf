import type { WalletVerification } from '../../factories/verification.ts';
import type { FileLink } from '../../../domain/verifications/files.ts';
import type { HostedVerification } from '../../../domain/verifications/hosted.ts';
import type { StepKind } from '../../../domain/verifications/state.ts';
import type { Json, TestAnswer } from '../../api-client.ts';
import { formOf, isoMedia, pdf, png, type Part } from '../../factories/evidence.ts';
import { createTenant, WEBHOOK_URL } from '../../factories/tenant.ts';
import { createVerification, readVerification, submit } from '../../factories/verification.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();

const tenant = useTenant(api, { webhookUrl: WEBHOOK_URL });

/** A verification whose visual proof waits for a reviewer. */
async function toReview(): Promise<WalletVerification> {
  const { id } = await createVerification(tenant, { allowedFlows: ['VISUAL_PROOF'] });
  const answer = await fetch(`${api.url}/wallet-verification/${id}/verification`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({ verificationFlow: 'VISUAL_PROOF' }, [{ fileName: 'a.png', content: png() }]),
  });
  const made = (await answer.json()) as WalletVerification;
  expect([answer.status, made.status]).toEqual([200, 'ACTION_REQUIRED']);
  return made;
}

async function verified(): Promise<WalletVerification> {
  const made = await createVerification(tenant);
  return (await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' })).body;
}

const patch = async (id: string, body: Json) => await tenant.patch(`/wallet-verification/${id}`, body);
const webhooks = async (id: string) =>
  (
    await database.pool.query<{ resource_version: number }>(
      'select resource_version from webhook_deliveries where resource_id = $1 order by 1',
      [id],
    )
  ).rows.map((row) => row.resource_version);

describe('PATCH /wallet-verification/{id}', () => {
  test.each([
    ['VERIFIED', { riskScore: 34, riskSeverity: 'medium' }],
    ['DECLINED', { riskScore: 80, riskSeverity: 'high' }],
  ])('a reviewer decides %s, with a reason, in the log', async (status, risk) => {
    const { id } = await toReview();
    const answer = await patch(id, { status, statusReasoning: 'seen' });
    expect([answer.status, answer.body]).toMatchObject([200, { status, statusReasoning: 'seen', ...risk }]);
    expect(answer.body['verifiedAt'] === null).toBe(status === 'DECLINED');
    const { body } = await tenant.get<Json[]>(`/wallet-verification/${id}/events`);
    expect(body[0]).toMatchObject({
      type: 'REVIEWED',
      actor: 'API_KEY',
      apiKeyId: tenant.apiKeyId,
      previousStatus: 'ACTION_REQUIRED',
      newStatus: status,
      basis: { kind: 'API_KEY' },
    });
    expect(JSON.stringify(body)).not.toContain('seen');
    expect(await webhooks(id)).toEqual([2, 3]);
  });

  test.each([
    ['VERIFIED', 'DECLINED'],
    ['VERIFIED', 'VERIFIED'],
    ['DECLINED', 'DECLINED'],
  ])('of two reviewers at once, %s and %s, one wins and the other gets 409', async (one, other) => {
    const { id } = await toReview();
    const answers = await Promise.all([patch(id, { status: one }), patch(id, { status: other })]);
    const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
    expect(won?.status).toBe(200);
    expect([lost?.status, lost?.body]).toMatchObject([409, { code: 'invalid_transition', allowed: [] }]);
    expect((await readVerification(tenant, id)).version).toBe(3);
  });

  test.each(['VERIFIED', 'DECLINED', 'ACTION_REQUIRED', 'FAILED', 'DELETED'])(
    'what is PENDING cannot be set to %s: 409 with nothing allowed',
    async (status) => {
      const { id } = await createVerification(tenant);
      const answer = await patch(id, { status });
      expect([answer.status, answer.body]).toMatchObject([409, { allowed: [] }]);
      expect((await readVerification(tenant, id)).version).toBe(1);
    },
  );

  test('409 names what may be set', async () => {
    const { id } = await toReview();
    const answer = await patch(id, { status: 'FAILED' });
    expect(answer.body).toMatchObject({ code: 'invalid_transition', allowed: ['VERIFIED', 'DECLINED'] });
  });

  test('texts change at any time, null clears, the same again is no change', async () => {
    const made = await createVerification(tenant, { metadata: 'first' });
    expect((await patch(made.id, { metadata: 'second', status: 'PENDING' })).body).toMatchObject({
      metadata: 'second',
      version: 2,
    });
    expect((await patch(made.id, { metadata: 'second' })).body).toMatchObject({ version: 2 });
    expect((await patch(made.id, { metadata: null })).body).toMatchObject({ metadata: null, version: 3 });
    expect((await patch(made.id, {})).body).toMatchObject({ version: 3 });
    expect(await webhooks(made.id)).toEqual([2, 3]);
  });

  test.each<[Json]>([
    [{ status: 'APPROVED' }],
    [{ status: null }],
    [{ statusReasoning: '' }],
    [{ metadata: 'x'.repeat(2_001) }],
    [{ asset: 'BTC' }],
  ])('%j is 400', async (body) => {
    const { id } = await toReview();
    expect((await patch(id, body)).status).toBe(400);
  });

  test('OBSERVER 403, a stranger 404', async () => {
    const { id } = await toReview();
    const path = `/wallet-verification/${id}`;
    expect((await (await tenant.as('OBSERVER')).patch(path, { status: 'VERIFIED' })).status).toBe(403);
    expect((await (await createTenant(api)).patch(path, { status: 'VERIFIED' })).status).toBe(404);
  });
});

describe('POST /wallet-verification/{id}/revoke', () => {
  test('makes a VERIFIED one DECLINED, with its reason, and tells', async () => {
    const { id } = await verified();
    const answer = await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'sold the wallet' });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { status: 'DECLINED', failureCode: 'REVOKED', statusReasoning: 'sold the wallet' },
    ]);
    expect(await webhooks(id)).toEqual([2, 3]);
    const again = await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'again' });
    expect([again.status, again.body]).toMatchObject([409, { code: 'invalid_transition', allowed: [] }]);
    const { body } = await tenant.get<Json[]>(`/wallet-verification/${id}/events`);
    expect(JSON.stringify(body)).not.toContain('sold');
  });

  test('409 for what was never accepted, 400 without a reason', async () => {
    const { id } = await createVerification(tenant);
    expect((await tenant.post(`/wallet-verification/${id}/revoke`, { reason: 'x' })).status).toBe(409);
    expect((await tenant.post(`/wallet-verification/${id}/revoke`, {})).status).toBe(400);
  });
});

describe('DELETE /wallet-verification/{id}', () => {
  test('204, then 404 everywhere, and one last webhook that says DELETED', async () => {
    const { id, token } = await verified();
    expect((await tenant.delete(`/wallet-verification/${id}`)).status).toBe(204);
    const path = `/wallet-verification/${id}`;
    const answers = [
      await tenant.get(path),
      await tenant.get(`${path}/events`),
      await tenant.patch(path, { metadata: 'x' }),
      await tenant.delete(path),
      await tenant.post(`${path}/revoke`, { reason: 'x' }),
      await submit(tenant, id, { verificationFlow: 'SELF_DECLARED' }),
      await tenant.post(`/sandbox${path}/fire-timer`),
      await api.request('GET', '/wallet/verification', { headers: { 'X-Verification-Token': token } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const { body } = await tenant.get<WalletVerification[]>(`/wallet-verification?q=${id}`);
    expect(body).toEqual([]);
    expect(await webhooks(id)).toEqual([2, 3]);
  });
});

describe('POST /sandbox/wallet-verification/{id}/fire-timer', () => {
  test('202 ends the time of a PENDING one, 409 of any other', async () => {
    const made = await createVerification(tenant);
    const path = `/sandbox/wallet-verification/${made.id}/fire-timer`;
    const answer = await tenant.post(path);
    expect(answer.status).toBe(202);
    expect(Date.parse(String(answer.body['expiresAt']))).toBeLessThanOrEqual(Date.now());
    expect((await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' })).status).toBe(410);
    const { id } = await verified();
    expect((await tenant.post(`/sandbox/wallet-verification/${id}/fire-timer`)).status).toBe(409);
  });
});

describe('POST and PATCH /wallet-verification/{id}/additional-steps/{kind}', () => {
  type Answer = TestAnswer<WalletVerification & Json>;
  const BOTH = [{ kind: 'SOURCE_OF_FUNDS_WEALTH' }, { kind: 'SELFIE', autoConfirm: true }];
  const paper: Part = { fileName: 'payslip.pdf', type: 'application/pdf', content: pdf() };
  const selfie: Part = { fileName: 'me.mp4', type: 'video/mp4', content: isoMedia() };

  const pathOf = (id: string, kind: StepKind) => `/wallet-verification/${id}/additional-steps/${kind}`;

  async function give(
    id: string,
    kind: StepKind,
    files: readonly Part[],
    { texts = {}, headers = {} }: { texts?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Answer> {
    const answer = await fetch(api.url + pathOf(id, kind), {
      method: 'POST',
      headers: { 'X-Api-Key': tenant.apiKey, ...headers },
      body: formOf(texts, files),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
  }

  const stepIn = ({ additionalSteps }: WalletVerification, kind: StepKind) =>
    additionalSteps.find((step) => step.kind === kind);
  const review = async (id: string, kind: StepKind, body: Json, client = tenant) =>
    await client.patch<WalletVerification & Json>(pathOf(id, kind), body);

  async function eventsOf(id: string): Promise<Json[]> {
    return (await tenant.get<Json[]>(`/wallet-verification/${id}/events`)).body;
  }

  test('documents are given, looked at by link, and accepted; the verification itself stays as it is', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH });
    const metadata = { source: 'salary', since: 2019 };
    const given = await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper, { ...paper, fileName: 'b.pdf' }], {
      texts: { metadata: JSON.stringify(metadata) },
    });
    expect([given.status, given.body.status]).toEqual([200, 'PENDING']);
    const step = stepIn(given.body, 'SOURCE_OF_FUNDS_WEALTH');
    expect(step).toMatchObject({
      status: 'ACTION_REQUIRED',
      metadata,
      analysis: null,
      submittedAt: expect.any(String),
      reviewedAt: null,
    });
    expect(step?.documents).toMatchObject([
      { type: 'application/pdf', bytes: pdf().length, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
      { type: 'application/pdf' },
    ]);
    expect(stepIn(given.body, 'SELFIE')?.status).toBe('NOT_STARTED');
    const work = await tenant.get<WalletVerification[]>('/wallet-verification?_step=ACTION_REQUIRED');
    expect(work.body.map(({ id }) => id)).toEqual([made.id]);

    const documentId = step?.documents[0]?.id ?? '';
    const link = await tenant.get<FileLink>(
      `${pathOf(made.id, 'SOURCE_OF_FUNDS_WEALTH')}/documents/${documentId}/url`,
    );
    const fetched = await fetch(api.url + new URL(link.body.url).pathname);
    expect(Buffer.from(await fetched.arrayBuffer()).equals(pdf())).toBe(true);
    // A document of this step is none of the other.
    expect((await tenant.get(`${pathOf(made.id, 'SELFIE')}/documents/${documentId}/url`)).status).toBe(404);

    const decided = await review(made.id, 'SOURCE_OF_FUNDS_WEALTH', {
      status: 'VERIFIED',
      statusReasoning: 'fits',
    });
    expect([decided.status, decided.body.status]).toEqual([200, 'PENDING']);
    expect(stepIn(decided.body, 'SOURCE_OF_FUNDS_WEALTH')).toMatchObject({
      status: 'VERIFIED',
      statusReasoning: 'fits',
      reviewedAt: expect.any(String),
    });
    expect((await eventsOf(made.id)).map(({ type }) => type)).toEqual([
      'STEP_REVIEWED',
      'FILE_VIEWED',
      'FILE_LINK_MADE',
      'STEP_SUBMITTED',
      'CREATED',
    ]);
    expect(JSON.stringify(await eventsOf(made.id))).not.toContain('fits');
  });

  test('of two reviewers at once one decides, the other gets 409', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH });
    await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper]);
    const answers = await Promise.all([
      review(made.id, 'SOURCE_OF_FUNDS_WEALTH', { status: 'VERIFIED' }),
      review(made.id, 'SOURCE_OF_FUNDS_WEALTH', { status: 'DECLINED' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const lost = answers.find(({ status }) => status === 409);
    expect(lost?.body).toMatchObject({ code: 'invalid_transition', allowed: [] });
    const won = answers.find(({ status }) => status === 200);
    expect(await readVerification(tenant, made.id)).toEqual(won?.body);
  });

  test('who has looked at other files than those stored now decides nothing', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH });
    const kind = 'SOURCE_OF_FUNDS_WEALTH';
    const seen = stepIn((await give(made.id, kind, [paper])).body, kind)?.submittedAt;
    await review(made.id, kind, { status: 'DECLINED', submittedAt: seen });
    const submittedAt = stepIn((await give(made.id, kind, [paper])).body, kind)?.submittedAt;
    expect(submittedAt).not.toBe(seen);
    const late = await review(made.id, kind, { status: 'VERIFIED', submittedAt: seen });
    expect([late.status, late.body['code']]).toEqual([409, 'conflict']);
    expect(stepIn(await readVerification(tenant, made.id), kind)?.status).toBe('ACTION_REQUIRED');
    // The same moment as other languages write it.
    const spelled = submittedAt?.replace('Z', '000Z');
    expect((await review(made.id, kind, { status: 'VERIFIED', submittedAt: spelled })).status).toBe(200);
  });

  test('of two reviewers of the proof itself one decides, too', async () => {
    const path = `/wallet-verification/${(await toReview()).id}`;
    const answers = await Promise.all([
      tenant.patch(path, { status: 'VERIFIED' }),
      tenant.patch(path, { status: 'DECLINED' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  test('a declined step takes files again, one that waits or was accepted does not', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH });
    await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper]);
    expect(await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper])).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    await review(made.id, 'SOURCE_OF_FUNDS_WEALTH', { status: 'DECLINED', statusReasoning: 'unreadable' });
    const again = await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper]);
    expect(stepIn(again.body, 'SOURCE_OF_FUNDS_WEALTH')).toMatchObject({
      status: 'ACTION_REQUIRED',
      statusReasoning: null,
      reviewedAt: null,
    });
    await review(made.id, 'SOURCE_OF_FUNDS_WEALTH', { status: 'VERIFIED' });
    expect((await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper])).status).toBe(409);
  });

  test('steps go on after the verification itself is VERIFIED', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH, allowedFlows: ['SELF_DECLARED'] });
    await submit(tenant, made.id, { verificationFlow: 'SELF_DECLARED' });
    const given = await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper]);
    expect([given.status, given.body.status]).toEqual([200, 'VERIFIED']);
  });

  test('a selfie waits for its analysis, which a workflow is told of', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH });
    expect((await give(made.id, 'SELFIE', [selfie])).status).toBe(200);
    expect(api.outbox.filter(({ subjectId }) => subjectId === made.id)).toContainEqual(
      expect.objectContaining({ workflow: 'selfieAnalysis' }),
    );
    const { rows } = await database.pool.query('select tenant_id from selfie_analyses where id = $1', [
      made.id,
    ]);
    expect(rows).toEqual([{ tenant_id: tenant.id }]);
  });

  test('a repeat under the same Idempotency-Key gets the first answer', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH });
    const headers = { 'Idempotency-Key': `step-${made.id}` };
    const first = await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper], { headers });
    const second = await give(made.id, 'SOURCE_OF_FUNDS_WEALTH', [paper], { headers });
    expect([second.status, second.body]).toEqual([200, first.body]);
    const { rows } = await database.pool.query(
      'select 1 from verification_files where verification_id = $1',
      [made.id],
    );
    expect(rows).toHaveLength(1);
  });

  describe('400 and 404, and nothing is left', () => {
    const cases: [
      name: string,
      kind: StepKind,
      files: Part[],
      metadata: string | undefined,
      status: number,
    ][] = [
      ['a selfie as pdf', 'SELFIE', [paper], undefined, 400],
      ['a payslip as video', 'SOURCE_OF_FUNDS_WEALTH', [selfie], undefined, 400],
      ['no file', 'SELFIE', [], '{}', 400],
      ['metadata that is no JSON', 'SELFIE', [selfie], '{', 400],
      ['metadata that is no object', 'SELFIE', [selfie], '[1]', 400],
      ['metadata over 10 kB', 'SELFIE', [selfie], JSON.stringify({ a: 'x'.repeat(10_000) }), 400],
      ['metadata with a NUL', 'SELFIE', [selfie], '{"a":"\\u0000"}', 400],
      ['six files', 'SELFIE', [selfie, selfie, selfie, selfie, selfie, selfie], undefined, 400],
    ];
    test.each(cases)('%s', async (_name, kind, files, metadata, status) => {
      const made = await createVerification(tenant, { additionalSteps: BOTH });
      const answer = await give(made.id, kind, files, metadata === undefined ? {} : { texts: { metadata } });
      expect(answer.status).toBe(status);
      expect(await readVerification(tenant, made.id)).toEqual(made);
      const { rows } = await database.pool.query(
        'select 1 from verification_files where verification_id = $1',
        [made.id],
      );
      expect(rows).toEqual([]);
    });

    test('a step that was not asked for', async () => {
      const made = await createVerification(tenant);
      expect((await give(made.id, 'SELFIE', [selfie])).status).toBe(404);
      expect((await review(made.id, 'SELFIE', { status: 'VERIFIED' })).status).toBe(404);
    });

    test('a decision before there are files', async () => {
      const made = await createVerification(tenant, { additionalSteps: BOTH });
      expect((await review(made.id, 'SELFIE', { status: 'VERIFIED' })).status).toBe(409);
      expect((await review(made.id, 'SELFIE', { status: 'NOT_STARTED' })).status).toBe(400);
    });

    test('JSON in the place of a form is 415', async () => {
      const made = await createVerification(tenant, { additionalSteps: BOTH });
      expect((await tenant.post(pathOf(made.id, 'SELFIE'), {})).status).toBe(415);
    });
  });

  test('the hosted page gives files for a step', async () => {
    const made = await createVerification(tenant, { additionalSteps: BOTH });
    const answer = await fetch(`${api.url}/wallet/verification/additional-steps/SELFIE`, {
      method: 'POST',
      headers: { 'X-Verification-Token': made.token },
      body: formOf({}, [selfie]),
    });
    const body = (await answer.json()) as HostedVerification;
    expect([answer.status, body.additionalSteps]).toEqual([
      200,
      [
        { kind: 'SOURCE_OF_FUNDS_WEALTH', status: 'NOT_STARTED' },
        { kind: 'SELFIE', status: 'ACTION_REQUIRED' },
      ],
    ]);
  });
});
