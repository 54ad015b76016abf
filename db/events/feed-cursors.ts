import { timingSafeEqual } from 'node:crypto';
import type { FeedPosition } from './list-changes.ts';
import type { Vault } from '../vault/vault.ts';

// Layout: version of the key, a keyed hash of tenant and place, then the place under a key stream that the hash begins.
const VERSION_BYTES = 4;
const CODE_BYTES = 12;
const PLACE_AT = VERSION_BYTES + CODE_BYTES;
const EPOCH_BYTES = 4;
const XID_BYTES = 8;
const POSITION_BYTES = 6;
const TAG_AT = EPOCH_BYTES + XID_BYTES + POSITION_BYTES;
const PLACE_BYTES = TAG_AT + 6;
const CURSOR_BYTES = PLACE_AT + PLACE_BYTES;

/**
 * A cursor of a tenant's change feed. Positions count the changes of all tenants, and database transactions count what everybody does: who
 * could read them would learn from two of his own how many entries another tenant's log got in between, such as that of a
 * hold. The same place has the same cursor.
 */
export function sealCursor(vault: Vault, tenantId: string, position: FeedPosition): string {
  const place = placeBytes(position);
  const [hash] = vault.versionedHashes('feed-cursor', codeText(tenantId, place));
  const begin = hash.subarray(0, PLACE_AT);
  const stream = vault.deploymentHash('feed-cursor-place', begin.toString('hex'));
  return Buffer.concat([begin, mixed(place, stream)]).toString('base64url');
}

/** The place of a cursor that `sealCursor` has made for this tenant, by whatever version of the key; undefined for any other text. */
export function openCursor(vault: Vault, tenantId: string, cursor: string): FeedPosition | undefined {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== CURSOR_BYTES || bytes.toString('base64url') !== cursor) return undefined;
  const begin = bytes.subarray(0, PLACE_AT);
  const isOfVersion = (hash: Buffer): boolean =>
    hash.subarray(0, VERSION_BYTES).equals(begin.subarray(0, VERSION_BYTES));
  const stream = vault.versionedHashes('feed-cursor-place', begin.toString('hex')).find(isOfVersion);
  if (!stream) return undefined;
  const place = mixed(bytes.subarray(PLACE_AT), stream.subarray(VERSION_BYTES));
  const hash = vault.versionedHashes('feed-cursor', codeText(tenantId, place)).find(isOfVersion);
  return hash && timingSafeEqual(hash.subarray(0, PLACE_AT), begin) ? positionIn(place) : undefined;
}

function codeText(tenantId: string, place: Buffer): string {
  return `${tenantId} ${place.toString('hex')}`;
}

function mixed(place: Buffer, stream: Buffer): Buffer {
  return Buffer.from(place.map((byte, at) => byte ^ (stream[at] ?? 0)));
}

function placeBytes({ epoch, xid, position, tag }: FeedPosition): Buffer {
  const place = Buffer.alloc(PLACE_BYTES);
  place.writeUInt32BE(epoch);
  place.writeBigUInt64BE(BigInt(xid), EPOCH_BYTES);
  place.writeUIntBE(position, EPOCH_BYTES + XID_BYTES, POSITION_BYTES);
  place.write(tag, TAG_AT, 'hex');
  return place;
}

function positionIn(place: Buffer): FeedPosition {
  return {
    epoch: place.readUInt32BE(),
    xid: String(place.readBigUInt64BE(EPOCH_BYTES)),
    position: place.readUIntBE(EPOCH_BYTES + XID_BYTES, POSITION_BYTES),
    tag: place.toString('hex', TAG_AT),
  };
}
