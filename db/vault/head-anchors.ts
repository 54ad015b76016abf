import { createHmac } from 'node:crypto';
import type { Keyring } from './keyring.ts';
import { purposeKey } from './purpose-key.ts';

/** The last entry of a record's event chain. */
export interface ChainHead {
  subjectKind: string;
  subjectId: string;
  tenantId: string;
  sequence: number;
  /** The hash of the last entry. */
  head: Buffer;
}

/**
 * Anchors heads of event chains by a key that is derived from the deployment's hash key, which the master key wraps: who
 * can only write to the database cannot make an anchor. A new master key does not change it.
 */
export class HeadAnchors {
  readonly #current: number;
  readonly #secrets: ReadonlyMap<number, Buffer>;

  constructor({ current, byVersion }: Keyring) {
    this.#current = current.version;
    this.#secrets = new Map(
      [...byVersion.values()].map((key) => [key.version, purposeKey(key, 'event-heads')]),
    );
  }

  /** The anchor of a head: the number of the key's version and an HMAC-SHA256 (36 bytes). */
  macOf(head: ChainHead): Buffer {
    const mac = this.#mac(head, this.#current);
    if (!mac) throw new Error('the current key of the anchors is not loaded');
    return mac;
  }

  isMacOf(head: ChainHead, mac: Buffer): boolean {
    return mac.length > 4 && this.#mac(head, mac.readUInt32BE(0))?.equals(mac) === true;
  }

  #mac(head: ChainHead, version: number): Buffer | undefined {
    const secret = this.#secrets.get(version);
    if (!secret) return undefined;
    const number = Buffer.alloc(4);
    number.writeUInt32BE(version);
    return Buffer.concat([number, createHmac('sha256', secret).update(headText(head)).digest()]);
  }
}

/** What an anchor covers. Changing this text makes every stored anchor wrong. */
function headText({ subjectKind, subjectId, tenantId, sequence, head }: ChainHead): string {
  return `${subjectKind}:${subjectId}:${tenantId}:${sequence}:${head.toString('hex')}`;
}
