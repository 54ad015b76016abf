import type { OperatorEntity } from '../../../domain/entities/schema.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api);

const send = async (method: string, path: string, body?: unknown) =>
  await api.request<OperatorEntity>(method, `/operator/entities${path}`, {
    operatorKey: api.operatorKey,
    ...(body !== undefined && { body }),
  });

test('the domains of an entity are stored in one spelling, replaced as a list, and shown to tenants', async () => {
  const emailDomains = ['Mail.FJORD.example', 'börse.example', 'mail.fjord.example'];
  const { status, body } = await send('POST', '', { name: 'Fjord Mail', type: 'exchange', emailDomains });
  expect([status, body.emailDomains]).toEqual([201, ['mail.fjord.example', 'xn--brse-5qa.example']]);
  const { body: shown } = await tenant.get(`/entities/${body.id}`);
  expect(shown).toMatchObject({ emailDomains: body.emailDomains });
  const patched = await send('PATCH', `/${body.id}`, { emailDomains: ['fjord.example'] });
  expect(patched.body.emailDomains).toEqual(['fjord.example']);
  expect((await send('PATCH', `/${body.id}`, { riskScore: 7 })).body.emailDomains).toEqual(['fjord.example']);
});

test.each([
  [['gmail.com'], '/emailDomains/0'],
  [['fjord.example', 'desk@fjord.example'], '/emailDomains/1'],
  ['fjord.example', '/emailDomains'],
  [Array.from({ length: 51 }, (_, index) => `d${index}.example`), '/emailDomains'],
])('400 for %j', async (emailDomains, pointer) => {
  const answer = await send('POST', '', { name: 'Never Added', type: 'exchange', emailDomains });
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
});

test('a file brings them, several in a cell, and a row with a free-mail domain refuses the file', async () => {
  const upload = async (csv: string) => {
    const form = new FormData();
    form.append('file', new Blob([csv]), 'entities.csv');
    const headers = { 'X-Operator-Key': api.operatorKey };
    return await fetch(`${api.url}/operator/entities/import`, { method: 'POST', headers, body: form });
  };
  const header = 'name,type,emailDomains\n';
  expect((await upload(`${header}Glacier Mail,exchange,Glacier.example;glacier.BANK\n`)).status).toBe(201);
  const { body } = await tenant.get<{ emailDomains: string[] }[]>('/entities?q=glacier%20mail');
  expect(body.map((entity) => entity.emailDomains)).toEqual([['glacier.example', 'glacier.bank']]);
  const refused = await upload(`${header}Glacier Mail,exchange,gmail.com\n`);
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { errors: [{ row: 2, field: 'emailDomains' }] },
  ]);
});
