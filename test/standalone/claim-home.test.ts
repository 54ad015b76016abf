import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimHome } from '../../standalone/claim-home.ts';

let home: string;
const silent = (): void => undefined;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'claim-'));
});

afterEach(async () => rm(home, { recursive: true, force: true }));

test('a second start is refused with the folder and the process while the first lives', async () => {
  const claim = await claimHome(home, silent);
  await expect(claimHome(home, silent)).rejects.toThrow(
    `Waybill is already running with ${home} (process ${process.pid})`,
  );
  claim.giveBack();
  await expect(claimHome(home, silent)).resolves.toBeDefined();
});

test('a start that comes while the one before stops waits for it', async () => {
  const first = await claimHome(home, silent);
  first.markStopping();
  let claimed = false;
  const second = claimHome(home, silent).then(() => {
    claimed = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(claimed).toBe(false);
  first.giveBack();
  await second;
  expect(claimed).toBe(true);
});
