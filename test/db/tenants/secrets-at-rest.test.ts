import { createTenant } from '../../factories/tenant.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

/** Every row of every table as text; bytes appear in hexadecimal. */
async function dump(): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await database.pool.query<{ row: string }>(`select t::text as row from "${name}" t`);
      return rows.map(({ row }) => row).join('\n');
    }),
  );
  return texts.join('\n');
}

test('API keys, webhook secrets and wallet metadata are nowhere in the database in clear, kept answers included', async () => {
  const tenant = await createTenant(api, { legalName: 'Legible Legal Name' });
  const headers = { 'Idempotency-Key': 'at-rest' };
  const { body: key } = await tenant.post<{ apiKey: string }>('/tenant/me/api-keys', {}, { headers });
  const { body: me } = await tenant.patch<{ webhookSecret: string }>('/tenant/me', {
    webhookUrl: 'https://hooks.alp.example/',
  });
  const metadata = 'Deposits of Anna Muster';
  const wallet = { address: 'cold-1', asset: 'XYZ', blockchain: 'Some Chain', metadata };
  expect(
    (await tenant.post('/wallets', wallet, { headers: { 'Idempotency-Key': 'at-rest-2' } })).status,
  ).toBe(201);
  const stored = (await dump()).toLowerCase();
  const secrets = [tenant.apiKey, key.apiKey, tenant.webhookSecret, me.webhookSecret, metadata, 'Muster'];
  const spellings = secrets.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  expect(spellings.filter((text) => stored.includes(text.toLowerCase()))).toEqual([]);
  // The dump does see what is stored in clear, and in bytes.
  expect(stored).toContain('legible legal name');
  expect(stored).toContain(api.db.vault.apiKeyHash(key.apiKey).toString('hex'));
});
