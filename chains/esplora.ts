import { askNode, jsonOf, NoAnswer, type NodeLimits } from './ask-node.ts';

/** One Esplora (github.com/Blockstream/esplora, API.md). */
export interface Esplora {
  /** What lies under a path; undefined with status 404. Throws NoAnswer. */
  find(path: string): Promise<Buffer | undefined>;
  /** The JSON under a path. Throws NoAnswer, with status 404 where there is nothing. */
  getJson(path: string): Promise<unknown>;
}

export function esplora(address: string, limits: NodeLimits): Esplora {
  const base = address.replace(/\/+$/, '');
  const find = async (path: string): Promise<Buffer | undefined> => {
    const { status, body } = await askNode(base + path, limits);
    if (status === 404) return undefined;
    if (status !== 200) throw new NoAnswer(`status ${status}`, status);
    return body;
  };
  return {
    find,
    async getJson(path) {
      const body = await find(path);
      if (!body) throw new NoAnswer('status 404', 404);
      const value = jsonOf(body);
      if (value === undefined) throw new NoAnswer('no JSON');
      return value;
    },
  };
}
