import { randomBytes } from 'node:crypto';
import { removeExpired } from '../../../db/housekeeping/remove-expired.ts';
import { newId } from '../../../db/new-id.ts';
import { beginImport } from '../../../db/wallet-imports/begin-import.ts';
import { insertChunk, readChunks, uploadBegin, UploadLost } from '../../../db/wallet-imports/chunks.ts';
import { finishDone, finishFailed, storeWritten } from '../../../db/wallet-imports/finish-import.ts';
import { getImportState, markResultReceived } from '../../../db/wallet-imports/get-import.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
let sha256: Buffer;
beforeEach(() => {
  sha256 = randomBytes(32);
});

const place = () => ({ tenantId: tenant.id, id: newId(new Date()) });
const begin = async (begunAt?: Date) =>
  await beginImport(api.db.pool, {
    ...place(),
    sha256,
    chunks: 1,
    begunAt: begunAt ?? (await uploadBegin(api.db.pool)),
  });
const finish = async (id: string) => {
  const upload = { tenantId: tenant.id, id };
  const outcome = { total: 0, created: 0, confirmed: 0, skipped: 0, sanctionedAddresses: [] };
  await storeWritten(api.db.pool, upload, outcome, new Date());
  await finishDone(api.db.pool, upload);
};
const told = async (id: string) => await markResultReceived(api.db.pool, tenant.id, id);

describe('an upload joins the import of the same file', () => {
  test('while it runs, however many come at once', async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, async () => await begin()));
    expect(new Set(ids).size).toBe(1);
  });

  test('that ended while the upload was under way', async () => {
    const first = await begin();
    const begunAt = await uploadBegin(api.db.pool);
    await finish(first);
    await told(first);
    expect(await begin(begunAt)).toBe(first);
  });

  test('whose result nobody was told, for ten minutes', async () => {
    const first = await begin();
    await finish(first);
    expect(await begin()).toBe(first);
    await database.pool.query(
      `update wallet_imports set finished_at = now() - interval '11 minutes' where id = $1`,
      [first],
    );
    expect(await begin()).not.toBe(first);
  });
});

describe('an upload is an import of its own', () => {
  test('when the result of the earlier one was told', async () => {
    const first = await begin();
    await finish(first);
    await told(first);
    // In the very millisecond of the end it would count as begun before.
    const later = new Date((await uploadBegin(api.db.pool)).getTime() + 1);
    expect(await begin(later)).not.toBe(first);
  });

  test('when the earlier one failed', async () => {
    const first = await begin();
    await finishFailed(api.db, { tenantId: tenant.id, id: first });
    expect(await begin()).not.toBe(first);
  });

  test("beside another tenant's of the same file", async () => {
    const mine = await begin();
    const other = await createTenant(api);
    const upload = { tenantId: other.id, id: newId(new Date()), sha256, chunks: 1, begunAt: new Date() };
    expect(await beginImport(api.db.pool, upload)).not.toBe(mine);
  });
});

describe('pieces of an upload', () => {
  test('open only where they were stored, and a missing one is noticed', async () => {
    const keys = await api.db.vault.tenantKeys(tenant.id);
    const upload = place();
    await insertChunk(api.db.pool, keys, upload, { sequence: 0, content: Buffer.from('address') });
    const all = async (count: number, from = upload) => {
      const pieces: string[] = [];
      for await (const piece of readChunks(api.db, from, count)) pieces.push(piece.toString());
      return pieces;
    };
    expect(await all(1)).toEqual(['address']);
    await expect(all(2)).rejects.toThrow(UploadLost);
    const elsewhere = place();
    await database.pool.query('update wallet_import_chunks set import_id = $2 where import_id = $1', [
      upload.id,
      elsewhere.id,
    ]);
    await expect(all(1, elsewhere)).rejects.toThrow('does not open here');
  });

  test('are removed after a day, and an import that never began has failed then', async () => {
    const keys = await api.db.vault.tenantKeys(tenant.id);
    const old = await begin();
    sha256 = randomBytes(32);
    const young = await begin();
    for (const id of [old, young]) {
      const chunk = { sequence: 0, content: Buffer.from('x') };
      await insertChunk(api.db.pool, keys, { tenantId: tenant.id, id }, chunk);
    }
    await database.pool.query(
      `update wallet_import_chunks set created_at = now() - interval '25 hours' where import_id = $1`,
      [old],
    );
    await removeExpired(api.db.pool, 'walletUploads', 1_000);
    const { rows } = await database.pool.query<{ id: string }>(
      'select import_id as id from wallet_import_chunks where import_id = any($1)',
      [[old, young]],
    );
    expect(rows).toEqual([{ id: young }]);
    const states = await Promise.all(
      [old, young].map(async (id) => await getImportState(api.db.pool, tenant.id, id)),
    );
    expect(states).toEqual(['FAILED', 'RUNNING']);
  });
});

test('results are kept for 30 days', async () => {
  const id = await begin();
  await finish(id);
  const state = async () => await getImportState(api.db.pool, tenant.id, id);
  const age = async (interval: string) =>
    await database.pool.query('update wallet_imports set finished_at = now() - $2::interval where id = $1', [
      id,
      interval,
    ]);
  await age('29 days 23 hours');
  await removeExpired(api.db.pool, 'walletImports', 1_000);
  expect(await state()).toBe('DONE');
  await age('30 days 1 minute');
  await removeExpired(api.db.pool, 'walletImports', 1_000);
  expect(await state()).toBeUndefined();
});
