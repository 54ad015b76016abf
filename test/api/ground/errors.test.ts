import { DomainError, type ErrorCode } from '../../../domain/errors.ts';
import { createLog } from '../../../process/log.ts';
import { PROBLEMS } from '../../../api/errors.ts';
import { oddEndpoint, startToy } from './toy-api.ts';

const SECRET = 'Zephyrine Müller';

/** What a handler throws, as the caller gets it and as the log has it. */
async function thrown(error: unknown) {
  const toy = await startToy({
    checkResponses: false,
    endpoints: [
      oddEndpoint(async () => {
        throw error;
      }),
    ],
  });
  const answer = await toy.send('/odd');
  await toy.stop(1000);
  return { ...answer, log: JSON.stringify(toy.log) };
}

function driverError(message: string, code?: string) {
  const error = new Error(message);
  const rest = { detail: `Key (name)=(${SECRET}) exists.`, where: SECRET, hint: SECRET };
  return Object.assign(error, rest, code && { code });
}

test('every code is a problem document with its own status', async () => {
  for (const [code, { status, title }] of Object.entries(PROBLEMS)) {
    const answer = await thrown(new DomainError(code as ErrorCode, 'Because.'));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.json).toMatchObject({ code, status, title, detail: 'Because.', errors: [] });
    expect(answer.json['type']).toBe(`/docs#errors-${code}`);
  }
});

test('additional members are added but never replace those of the problem', async () => {
  const members = { allowed: ['CANCELLED'], status: 200, code: 'other', requestId: 'x' };
  const { status, json } = await thrown(new DomainError('invalid_transition', 'No.', { members }));
  expect(status).toBe(409);
  expect(json).toMatchObject({ allowed: ['CANCELLED'], status: 409, code: 'invalid_transition' });
  expect(json['requestId']).not.toBe('x');
});

test('a refusal may say when to come back', async () => {
  const { headers } = await thrown(new DomainError('conflict', 'Still running.', { retryAfterSeconds: 7 }));
  expect(headers.get('retry-after')).toBe('7');
});

describe('503: trouble with the database passes', () => {
  test.each([
    ['connection refused', driverError('connect ECONNREFUSED', 'ECONNREFUSED')],
    ['connection reset', driverError('read ECONNRESET', 'ECONNRESET')],
    ['all addresses refused', Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' })],
    ['shut down by the administrator', driverError('terminating connection', '57P01')],
    ['starting up', driverError('the database system is starting up', '57P03')],
    ['connection exception', driverError('connection failure', '08006')],
    ['too many connections', driverError('sorry, too many clients already', '53300')],
    ['deadlock after retries', driverError('deadlock detected', '40P01')],
    ['pool exhausted', driverError('timeout exceeded when trying to connect')],
    ['connection lost', driverError('Connection terminated unexpectedly')],
    ['wrapped', new Error('find failed', { cause: driverError('x', '57P02') })],
  ])('%s', async (_what, error) => {
    const answer = await thrown(error);
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({ code: 'temporarily_unavailable' });
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(answer.log).not.toContain(SECRET);
  });
});

describe('500: anything else is ours', () => {
  test.each([
    ['a duplicate that nobody foresaw', driverError(`duplicate key (${SECRET})`, '23505')],
    ['a value that the database refuses', driverError(`invalid input syntax: "${SECRET}"`, '22P02')],
    ['a message of several lines', driverError(`first\n${SECRET}\n    at ${SECRET}`)],
    ['a programming error', new TypeError(`${SECRET} is not a function`)],
    ['not even an error', SECRET],
    ['nothing', undefined],
  ])('%s: neither caller nor log learns a value', async (_what, error) => {
    const answer = await thrown(error);
    expect(answer.status).toBe(500);
    expect(answer.json).toMatchObject({ code: 'internal' });
    expect(answer.text + answer.log).not.toContain(SECRET);
    expect(answer.log).toContain(String(answer.json['requestId']));
  });

  test('the log has name, code and stack', async () => {
    const { log } = await thrown(driverError('x', '23505'));
    expect(log).toMatch(/"err":\{"name":"Error","code":"23505","stack":\["at driverError/);
  });
});

test('secrets are redacted by name, however deep and however spelt', () => {
  const lines: string[] = [];
  const log = createLog('test', 'info', { write: (line) => void lines.push(line) });
  log.info({ headers: { 'X-Api-Key': SECRET }, list: [{ a: { password: SECRET } }] });
  log.child({ requestId: '1' }).info({ token: SECRET, kept: 'yes' });
  expect(lines.join('')).not.toContain(SECRET);
  expect(JSON.parse(lines[1] as string)).toMatchObject({ token: '[redacted]', kept: 'yes', requestId: '1' });
});

test('the log of a request has its pattern, never path, query, body or key', async () => {
  const toy = await startToy();
  await toy.send(`/pets?q=${encodeURIComponent(SECRET)}`);
  await toy.send('/pets/0190d1a2-7b3c-7def-8123-456789abcdef');
  await toy.send('/pets', { method: 'POST', body: JSON.stringify({ name: SECRET }) });
  await toy.send(`/${encodeURIComponent(SECRET)}`);
  await toy.stop(1000);
  const lines = toy.log.filter(({ msg }) => msg === 'request');
  expect(lines.map(({ method, route, status }) => [method, route, status])).toEqual([
    ['GET', '/pets', 200],
    ['GET', '/pets/{id}', 200],
    ['POST', '/pets', 201],
    ['GET', 'none', 404],
  ]);
  expect(lines[0]).toMatchObject({ tenantId: 'tenant-1', apiKeyId: 'id-of-COMPLIANCE' });
  expect(lines[0]).toHaveProperty('requestId');
  expect(lines[0]).toHaveProperty('durationMs');
  const all = JSON.stringify(toy.log);
  for (const hidden of [SECRET, encodeURIComponent(SECRET), '0190d1a2', 'key-COMPLIANCE']) {
    expect(all).not.toContain(hidden);
  }
});
