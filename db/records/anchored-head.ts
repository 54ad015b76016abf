import type { ChainHead } from '../vault/head-anchors.ts';
import type { Vault } from '../vault/vault.ts';

/** A record's last entry as its row names it, with the anchor; null where it has none. */
interface StoredHead {
  id: string;
  tenantId: string;
  sequence: number;
  head: Buffer;
  headMac: Buffer | null;
}

/** Whether the head of a record is the one that this deployment has written: others cannot make its anchor. */
export function isAnchored(
  { heads }: Pick<Vault, 'heads'>,
  subjectKind: ChainHead['subjectKind'],
  { id, tenantId, sequence, head, headMac }: StoredHead,
): boolean {
  return headMac !== null && heads.isMacOf({ subjectKind, subjectId: id, tenantId, sequence, head }, headMac);
}
