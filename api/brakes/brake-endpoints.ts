import type { Endpoint } from '../endpoint.ts';
import { listBrakesAsOperatorEndpoint } from './list-brakes-as-operator.ts';
import { listBrakesEndpoint } from './list-brakes.ts';
import { releaseBrakeAsOperatorEndpoint } from './release-brake-as-operator.ts';
import { releaseBrakeEndpoint } from './release-brake.ts';
import { setBrakeAsOperatorEndpoint } from './set-brake-as-operator.ts';
import { setBrakeEndpoint } from './set-brake.ts';

/** What holds messages and webhooks back, in the order of the reference. */
export const brakeEndpoints: readonly Endpoint[] = [
  setBrakeEndpoint,
  listBrakesEndpoint,
  releaseBrakeEndpoint,
  setBrakeAsOperatorEndpoint,
  listBrakesAsOperatorEndpoint,
  releaseBrakeAsOperatorEndpoint,
];
