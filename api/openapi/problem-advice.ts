import type { ErrorCode } from '../../domain/errors.ts';

/** What a caller does about each problem. */
export const PROBLEM_ADVICE: Readonly<Record<ErrorCode, string>> = {
  validation_failed: 'Mend the fields that `errors` names, and send the request again.',
  malformed_json: 'Send well-formed JSON in UTF-8, with each name once in an object.',
  unsupported_media_type: 'Send `application/json` or, where the operation lists it, `multipart/form-data`.',
  payload_too_large: 'Send less: `detail` has the limit.',
  unauthenticated:
    'Send a key in `X-Api-Key` or an access token in `Authorization`, not both (partner: `X-Partner-Api-Key`, operator: `X-Operator-Key`, hosted page: ' +
    '`X-Verification-Token`, e-mail portal: `X-Portal-Session`). If an access token has ended, `GET /auth/refresh` gives the next.',
  code_required: 'Sign in again with `code`: of the authenticator app, or a recovery code.',
  key_expired: 'Create a new key with another one, and use it.',
  key_revoked: 'Use another key.',
  ip_not_allowed:
    'Send the request from an address that `allowedIps` of the key contains, or let another key change the list.',
  wrong_environment: 'Use a key of this environment, or the address of the other one.',
  forbidden:
    'Use a key, or sign in as a user, with the role that `detail` names. With the cookie of a page: call from that page.',
  tenant_suspended:
    'Ask the operator of the deployment: nothing is lost, and the same credentials count after a resume.',
  not_found: 'Check path and id. Records of other tenants and deleted ones are not found either.',
  method_not_allowed: 'Use a method that `Allow` names.',
  conflict:
    'Read the record: `detail` says what is in the way. A taken `reference` comes with the `id` of the first.',
  review_required: 'Decide by `POST /transactions/{id}/review`.',
  screening_pending: 'Wait for the end of the screening (`clearance`), and send the request again.',
  invalid_transition: 'Read the record: `allowed` lists the statuses that are possible now.',
  last_api_key: 'Create a new key first.',
  idempotency_key_reused: 'Send another request with a key of its own; repeat one unchanged.',
  rules_invalid: 'Mend the rules that `errors` names.',
  csv_invalid: 'Mend the rows that `errors` names, and send the file again: nothing was imported.',
  file_type_not_allowed: 'Send a file of a type that the operation lists.',
  file_too_large: 'Send a smaller file: `detail` has the limit.',
  signature_malformed: 'Send the whole signature as the wallet has returned it.',
  signature_mismatch: 'Let the wallet of the verification sign the message, and send exactly that message.',
  signature_typed_data: 'Let the wallet sign a text (`personal_sign`), no typed data.',
  message_empty: 'Send the message that was signed.',
  verification_completed: 'Nothing: the verification has ended. Create a new one for a new proof.',
  verification_expired: 'Create a new verification.',
  provider_not_activated: 'Choose a provider by `PUT /tenant/me/service-keys`.',
  provider_error: 'Try again later; ask the provider if it stays.',
  provider_unavailable: 'Try again after `Retry-After`.',
  temporarily_unavailable:
    'Send the request again after `Retry-After`, a POST with the same `Idempotency-Key`.',
  rate_limited: 'Send the request again after `Retry-After`.',
  internal: 'Send the request again; report it with `requestId` if it stays.',
};
