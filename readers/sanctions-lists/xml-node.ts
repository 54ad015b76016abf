/** An element of an XML file with all that is in it. Names are without their namespace prefix. */
export interface XmlNode {
  name: string;
  attributes: Record<string, string>;
  /** The texts of the element itself, joined. */
  text: string;
  children: XmlNode[];
}

export function childrenOf(node: XmlNode, name: string): XmlNode[] {
  return node.children.filter((child) => child.name === name);
}

export function childOf(node: XmlNode | undefined, name: string): XmlNode | undefined {
  return node?.children.find((child) => child.name === name);
}

/** The text of the first child of this name; empty where there is none. */
export function textOf(node: XmlNode | undefined, name: string): string {
  return childOf(node, name)?.text.trim() ?? '';
}

/** The texts of all children of this name that have one. */
export function textsOf(node: XmlNode | undefined, name: string): string[] {
  const texts = (node?.children ?? []).filter((child) => child.name === name).map(({ text }) => text.trim());
  return texts.filter((text) => text !== '');
}

/** The first element of this name at any depth. */
export function findNode(node: XmlNode, name: string): XmlNode | undefined {
  for (const child of node.children) {
    const found = child.name === name ? child : findNode(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}
