import type { NameKind } from '../../../domain/sanctions/list-entry.ts';
import { type EntryDraft, isOriginalScript } from '../entry-draft.ts';
import type { OfacReferences } from './ofac-references.ts';
import { childOf, childrenOf, type XmlNode } from '../xml-node.ts';

interface NamePart {
  text: string;
  /** `Last Name`, `First Name`, `Entity Name`, … */
  type: string;
}

/** Adds all names of one identity of a party: every alias in every script that it is documented in. */
export function addOfacNames(entry: EntryDraft, identity: XmlNode, references: OfacReferences): void {
  const types = partTypes(identity, references);
  for (const alias of childrenOf(identity, 'Alias')) {
    for (const documented of childrenOf(alias, 'DocumentedName')) {
      const values = childrenOf(documented, 'DocumentedNamePart').flatMap((part) =>
        childrenOf(part, 'NamePartValue'),
      );
      const name = joined(
        values.map(({ text, attributes }) => ({
          text: text.trim(),
          type: types.get(attributes['NamePartGroupID'] ?? '') ?? '',
        })),
      );
      entry.addName(name, nameKind(identity, alias, name, references));
    }
  }
}

function partTypes(identity: XmlNode, references: OfacReferences): Map<string, string> {
  const masters = childrenOf(childOf(identity, 'NamePartGroups') ?? identity, 'MasterNamePartGroup');
  const groups = masters.flatMap((master) => childrenOf(master, 'NamePartGroup'));
  return new Map(
    groups.map(({ attributes }) => [
      attributes['ID'] ?? '',
      references.text('NamePartType', attributes['NamePartTypeID']),
    ]),
  );
}

/** In the order of the file, the family name before a comma as in OFAC's other files; other scripts write no comma. */
function joined(given: readonly NamePart[]): string {
  const parts = given.filter(({ text }) => text !== '');
  const family = parts.filter(({ type }) => type === 'Last Name').map(({ text }) => text);
  const others = parts.filter(({ type }) => type !== 'Last Name').map(({ text }) => text);
  const all = parts.map(({ text }) => text).join(' ');
  if (family.length === 0 || others.length === 0 || isOriginalScript(all)) return all;
  return `${family.join(' ')}, ${others.join(' ')}`;
}

function nameKind(identity: XmlNode, alias: XmlNode, name: string, references: OfacReferences): NameKind {
  if (alias.attributes['LowQuality'] === 'true') return 'weak';
  if (isOriginalScript(name)) return 'original_script';
  if (references.text('AliasType', alias.attributes['AliasTypeID']) === 'F.K.A.') return 'fka';
  return alias.attributes['Primary'] === 'true' && identity.attributes['Primary'] !== 'false'
    ? 'primary'
    : 'aka';
}
