import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectRoot } from '../../standalone/project-root.ts';
import { findTemporal } from '../../standalone/temporal-binary.ts';
import { attributes } from '../../workflows/contract.ts';
import { connectLazily } from '../../workflows/start.ts';

/** The server's numbers for attribute types, by the SDK's names. */
const TYPES: Record<string, number> = { KEYWORD: 2, BOOL: 5, DATETIME: 6 };

const address = process.env['WAYBILL_TEST_TEMPORAL'] ?? '';
const namespace = `test-${randomBytes(6).toString('hex')}`;
const connection = connectLazily(address);
let bin: string;

beforeAll(async () => {
  bin = mkdtempSync(join(tmpdir(), 'deploy-bin-'));
  symlinkSync(await findTemporal(() => undefined), join(bin, 'temporal'));
});

afterAll(async () => {
  rmSync(bin, { recursive: true, force: true });
  await connection.close();
});

/** The script as its container runs it; gives its exit code. */
async function runScript(env: Record<string, string>): Promise<number | null> {
  const child = spawn('sh', [join(projectRoot, 'deploy', 'temporal-namespace.sh')], {
    env: { PATH: `${bin}${delimiter}${process.env['PATH']}`, HOME: bin, ...env },
    stdio: 'ignore',
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

test('makes the namespace with the attributes of the workflows, and does no harm a second time', async () => {
  for (let time = 1; time <= 2; time++) {
    expect(await runScript({ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace })).toBe(0);
    const described = await connection.workflowService.describeNamespace({ namespace });
    expect(described.config?.workflowExecutionRetentionTtl?.seconds?.toString()).toBe(String(30 * 24 * 3600));
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    const expected = Object.values(attributes).map(({ name, type }) => [name, TYPES[type]]);
    expect(customAttributes).toMatchObject(Object.fromEntries(expected) as Record<string, number>);
    expect(Object.keys(customAttributes ?? {}).filter((name) => name.startsWith('Tr'))).toHaveLength(
      expected.length,
    );
  }
});
