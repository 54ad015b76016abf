import { textOf, type XmlNode } from '../xml-node.ts';

/** The sets of values that stand at the head of the file and to which everything after them refers by number. */
const SETS = [
  'AliasType',
  'AreaCode',
  'Country',
  'DetailReference',
  'FeatureType',
  'IDRegDocType',
  'LegalBasis',
  'List',
  'LocPartType',
  'NamePartType',
  'PartySubType',
  'PartyType',
  'SanctionsType',
  'Script',
] as const;

type ReferenceSet = (typeof SETS)[number];

export class OfacReferences {
  static readonly sets: readonly string[] = SETS;
  readonly #values = new Map<string, XmlNode>();

  add(node: XmlNode): void {
    this.#values.set(`${node.name} ${node.attributes['ID'] ?? ''}`, node);
  }

  /** The value's text; empty for a number that the file does not define. */
  text(set: ReferenceSet, id: string | undefined): string {
    return this.#find(set, id)?.text.trim() ?? '';
  }

  attribute(set: ReferenceSet, id: string | undefined, name: string): string {
    return this.#find(set, id)?.attributes[name]?.trim() ?? '';
  }

  #find(set: ReferenceSet, id: string | undefined): XmlNode | undefined {
    return id === undefined ? undefined : this.#values.get(`${set} ${id}`);
  }
}

/** Where something is: the parts of the place and its country, as texts. */
export interface OfacPlace {
  parts: string[];
  country: string;
}

export function placeOf(node: XmlNode, references: OfacReferences): OfacPlace {
  const parts: string[] = [];
  let country = '';
  for (const child of node.children) {
    if (child.name === 'LocationCountry')
      country ||= references.text('Country', child.attributes['CountryID']);
    if (child.name === 'LocationAreaCode')
      country ||= references.attribute('AreaCode', child.attributes['AreaCodeID'], 'Description');
    if (child.name !== 'LocationPart') continue;
    const value = child.children.map((part) => textOf(part, 'Value')).find((text) => text !== '');
    if (value !== undefined) parts.push(value);
  }
  return { parts, country: /^undetermined$/i.test(country) ? '' : country };
}
