import { timingSafeEqual } from 'node:crypto';
import { notFound } from '../../domain/errors.ts';
import type { Actor } from '../../domain/events/actor.ts';
import type { Vault } from '../vault/vault.ts';

const LIFE_MS = 60_000;
const ID_BYTES = 16;
const TIME_BYTES = 6;
// Layout: file id, end of validity, kind and id of the caller it was issued to, then a keyed hash of these.
const TIME_AT = ID_BYTES;
const KIND_AT = TIME_AT + TIME_BYTES;
const ACTOR_AT = KIND_AT + 1;
const CODE_AT = ACTOR_AT + ID_BYTES;
const LINK_BYTES = CODE_AT + 32;
const KINDS = ['USER', 'API_KEY'] as const;

/** The content of a link. */
interface OpenedLink {
  fileId: string;
  /** The caller that the link was issued to; the download is attributed to it. */
  actor: Actor;
}

/** Issues a token with which its bearer can fetch one file for a minute. */
export function makeFileLink(
  vault: Vault,
  fileId: string,
  actor: Actor,
  now: Date,
): { token: string; expiresAt: Date } {
  const expiresAt = new Date(now.getTime() + LIFE_MS);
  const signed = Buffer.alloc(CODE_AT);
  bytesOf(fileId).copy(signed);
  signed.writeUIntBE(expiresAt.getTime(), TIME_AT, TIME_BYTES);
  writeActor(signed, actor);
  const token = Buffer.concat([signed, codeOf(vault, signed)]).toString('base64url');
  return { token, expiresAt };
}

/** Opens a link. Throws the same not_found for a forged, changed or expired one. */
export function openFileLink(vault: Vault, token: string, now: Date): OpenedLink {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== LINK_BYTES || bytes.toString('base64url') !== token) throw notFound('file');
  const signed = bytes.subarray(0, CODE_AT);
  if (!timingSafeEqual(codeOf(vault, signed), bytes.subarray(CODE_AT))) throw notFound('file');
  if (signed.readUIntBE(TIME_AT, TIME_BYTES) <= now.getTime()) throw notFound('file');
  const id = uuidOf(signed, ACTOR_AT);
  const kind = KINDS[signed.readUInt8(KIND_AT)] === 'USER' ? 'USER' : 'API_KEY';
  return {
    fileId: uuidOf(signed, 0),
    actor: { kind, id },
  };
}

function writeActor(signed: Buffer, actor: Actor): void {
  if (actor.kind !== 'USER' && actor.kind !== 'API_KEY') throw new TypeError('links are given to callers');
  signed.writeUInt8(KINDS.indexOf(actor.kind), KIND_AT);
  bytesOf(actor.id).copy(signed, ACTOR_AT);
}

function codeOf(vault: Vault, signed: Buffer): Buffer {
  return vault.deploymentHash('file-link', signed.toString('hex'));
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function uuidOf(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + ID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
