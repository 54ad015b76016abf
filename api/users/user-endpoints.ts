import { endPageSessionEndpoint } from '../auth/end-page-session.ts';
import { logOutEndpoint } from '../auth/log-out.ts';
import { refreshEndpoint } from '../auth/refresh.ts';
import { requestPasswordResetEndpoint } from '../auth/request-password-reset.ts';
import { setPasswordEndpoint } from '../auth/set-password.ts';
import { signInEndpoint } from '../auth/sign-in.ts';
import { startPageSessionEndpoint } from '../auth/start-page-session.ts';
import { changePasswordEndpoint } from './change-password.ts';
import { confirmSecondFactorEndpoint } from './confirm-second-factor.ts';
import { createUserEndpoint } from './create-user.ts';
import { getMeEndpoint } from './get-me.ts';
import { inviteUserEndpoint } from './invite-user.ts';
import { listUsersEndpoint } from './list-users.ts';
import { patchUserEndpoint } from './patch-user.ts';
import { removeSecondFactorEndpoint } from './remove-second-factor.ts';
import { setUpSecondFactorEndpoint } from './set-up-second-factor.ts';
import type { Endpoint } from '../endpoint.ts';

/** Sign-in and users, in the order of the reference. */
export const userEndpoints: readonly Endpoint[] = [
  signInEndpoint,
  refreshEndpoint,
  logOutEndpoint,
  startPageSessionEndpoint,
  endPageSessionEndpoint,
  requestPasswordResetEndpoint,
  setPasswordEndpoint,
  createUserEndpoint,
  inviteUserEndpoint,
  listUsersEndpoint,
  getMeEndpoint,
  changePasswordEndpoint,
  setUpSecondFactorEndpoint,
  confirmSecondFactorEndpoint,
  removeSecondFactorEndpoint,
  patchUserEndpoint,
];
