/** The last entry of a record's event chain. */
export interface ChainHead {
  subjectKind: string;
  subjectId: string;
  tenantId: string;
  sequence: number;
  /** The hash of the last entry. */
  head: Buffer;
}

/** What the anchor of a head covers. Changing this text makes every stored anchor wrong. */
export function headText({ subjectKind, subjectId, tenantId, sequence, head }: ChainHead): string {
  return `${subjectKind}:${subjectId}:${tenantId}:${sequence}:${head.toString('hex')}`;
}
