import { defineSignal, setCurrentDetails, setHandler, upsertSearchAttributes } from '@temporalio/workflow';
import { outside } from './activity-proxies.ts';
import { ROW_CHANGED, attributes, type RecordSubject } from './contract.ts';

const rowChangedSignal = defineSignal(ROW_CHANGED);

/**
 * Tells another VASP by TRP what has changed of an exchange, once for every change. The row is authoritative; a
 * signal only says that it changed.
 */
export async function trpNotice({ id }: RecordSubject): Promise<string> {
  let queued = false;
  setHandler(rowChangedSignal, () => {
    queued = true;
  });
  let result: string;
  do {
    queued = false;
    result = await outside.sendTrpNotice({ id });
  } while (queued);
  upsertSearchAttributes([
    { key: attributes.status, value: result },
    { key: attributes.waitingFor, value: 'NOTHING' },
  ]);
  setCurrentDetails(`**${result}**.`);
  return result;
}
