import { defineSignal } from '@temporalio/workflow';
import { ROW_CHANGED } from './contract.ts';

export const rowChangedSignal = defineSignal(ROW_CHANGED);
