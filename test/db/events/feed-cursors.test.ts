import { openCursor, sealCursor } from '../../../db/events/feed-cursors.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api } = useApi();
const tenant = useTenant(api);
const other = useTenant(api);

const PLACE = { epoch: 3, xid: '18446744073709551615', position: 2 ** 47, tag: '0a1b2c3d4e5f' };

test('a cursor names its place to its tenant alone, and to nobody without the key', () => {
  const cursor = sealCursor(api.db.vault, tenant.id, PLACE);
  expect(openCursor(api.db.vault, tenant.id, cursor)).toEqual(PLACE);
  expect(openCursor(api.db.vault, other.id, cursor)).toBeUndefined();
  expect(sealCursor(api.db.vault, tenant.id, PLACE)).toBe(cursor);
});

test('two cursors tell nothing of the changes between them', () => {
  const bytesOf = (position: number) =>
    Buffer.from(sealCursor(api.db.vault, tenant.id, { ...PLACE, position }), 'base64url');
  const [first, second] = [bytesOf(1), bytesOf(2)];
  // The version of the key is the same; a byte of the others is the same by chance, one in 256.
  const same = first.filter((byte, at) => at >= 4 && byte === second[at]);
  expect(same.length).toBeLessThan(6);
});

test('a changed cursor names none', () => {
  const cursor = sealCursor(api.db.vault, tenant.id, PLACE);
  const bytes = Buffer.from(cursor, 'base64url');
  for (const at of bytes.keys()) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(openCursor(api.db.vault, tenant.id, changed.toString('base64url'))).toBeUndefined();
  }
  for (const text of ['', 'MTIuMzQ', `${cursor}A`, cursor.slice(1)])
    expect(openCursor(api.db.vault, tenant.id, text)).toBeUndefined();
});
