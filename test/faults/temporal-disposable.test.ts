import { setTimeout as delay } from 'node:timers/promises';
import { startTestSystem } from '../system.ts';
import { setUpTemporal } from '../../worker/temporal-setup.ts';
import { connectLazily } from '../../workflows/start.ts';
import { ownTemporal } from '../temporal.ts';

test('experiment', async () => {
  const temporal = await ownTemporal();
  await temporal.start();
  const system = await startTestSystem({ temporalAddress: temporal.address });
  process.on('unhandledRejection', (e) => console.log('unhandled', e));
  await temporal.stop();
  temporal.forgetEverything();
  await temporal.start();
  const t0 = Date.now();
  await delay(80000);
  const connection = connectLazily(temporal.address);
  console.log('setting up', Date.now() - t0);
  await setUpTemporal(connection, system.namespace);
  await delay(20000);
  console.log(JSON.stringify(system.workerLog.slice(-30), null, 1));
  await connection.close();
  await system.stop();
  await temporal.remove();
}, 220_000);
