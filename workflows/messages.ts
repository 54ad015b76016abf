import { defineSignal } from '@temporalio/workflow';
import { POKE } from './contract.ts';

export const pokeSignal = defineSignal(POKE);
