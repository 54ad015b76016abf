import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { lastingPort } from '../lasting-port.ts';
import { TOKEN_CODE } from './token.ts';

/** A real Ethereum node of its own (anvil of Foundry): mines only when asked to. Its accounts have money and are unlocked. */
export interface Anvil {
  url: string;
  port: number;
  accounts: string[];
  /** How many calls of each method were made by others than this object. */
  rpc: <T = unknown>(method: string, params?: readonly unknown[]) => Promise<T>;
  /** Sends without mining; answers the hash. */
  send: (transaction: { from: string; to?: string; value?: bigint; data?: string }) => Promise<string>;
  mine: (blocks?: number) => Promise<void>;
  height: () => Promise<number>;
  /** Deploys a token without balances: who transfers says how much, the log says who to whom. */
  deployToken: () => Promise<string>;
  stop: () => Promise<void>;
}

/** undefined where npm had no anvil for this machine. */
function anvilBinary(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');
  } catch {
    return undefined;
  }
}

/** Tests that need a real node: skipped, and said so, where there is none. */
export const describeWithAnvil = anvilBinary()
  ? describe
  : (name: string, body: () => void) => {
      process.stderr.write(`SKIPPED, there is no anvil for this machine: ${name}\n`);
      describe.skip(name, body);
    };

export async function startAnvil(options: { port?: number; chainId?: number } = {}): Promise<Anvil> {
  const binary = anvilBinary();
  if (!binary) throw new Error('there is no anvil for this machine');
  const { port = await lastingPort(), chainId = 31_337 } = options;
  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    `${port}`,
    '--chain-id',
    `${chainId}`,
    '--no-mining',
    '--silent',
  ];
  const child = spawn(binary, args, { stdio: 'ignore' });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  const rpc = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await answer.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await untilReady(rpc);
  const accounts = await rpc<string[]>('eth_accounts');
  const mine = async (blocks = 1) => {
    for (let block = 0; block < blocks; block += 1) await rpc('evm_mine');
  };
  const send: Anvil['send'] = async ({ value = 0n, ...rest }) =>
    await rpc<string>('eth_sendTransaction', [
      { ...rest, value: `0x${value.toString(16)}`, gas: '0x186a0', gasPrice: '0x77359400' },
    ]);
  return {
    url,
    port,
    accounts,
    rpc,
    send,
    mine,
    height: async () => Number(await rpc<string>('eth_blockNumber')),
    async deployToken() {
      const hash = await send({ from: accounts[9] ?? '', data: TOKEN_CODE });
      await mine();
      const receipt = await rpc<{ contractAddress: string }>('eth_getTransactionReceipt', [hash]);
      return receipt.contractAddress;
    },
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function untilReady(rpc: (method: string) => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    try {
      await rpc('eth_chainId');
      return;
    } catch {
      await delay(20);
    }
  }
  throw new Error('anvil does not answer');
}
