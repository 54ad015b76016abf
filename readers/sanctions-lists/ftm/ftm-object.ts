/** One FollowTheMoney object: every property is a list of texts. */
export interface FtmObject {
  id: string;
  schema: string;
  caption: string;
  /** Former ids of what has been merged into this object. */
  referents: string[];
  values: (property: string) => string[];
}

export function ftmObject(value: Record<string, unknown> | undefined): FtmObject | undefined {
  const { id, schema, caption, referents, properties } = value ?? {};
  if (typeof id !== 'string' || id === '' || typeof schema !== 'string') return undefined;
  if (typeof properties !== 'object' || properties === null) return undefined;
  const all = new Map<string, unknown>(Object.entries(properties));
  return {
    id,
    schema,
    caption: typeof caption === 'string' ? caption : '',
    referents: texts(referents),
    values: (property) => texts(all.get(property)),
  };
}

/** Whether the object itself is called sanctioned: `sanction`, `sanction.linked`, … */
export function hasSanctionTopic(object: FtmObject): boolean {
  return object.values('topics').some((topic) => /^sanction(\.|$)/.test(topic));
}

function texts(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
