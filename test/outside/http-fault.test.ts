import { errors } from 'undici';
import { HttpFault, httpFaultOf } from '../../outside/http-fault.ts';

const driverError = (code: string) =>
  Object.assign(new Error('connect 10.0.0.1:443 of Anna Keller'), { code });

test.each([
  ['ECONNREFUSED', 'CONNECT_REFUSED'],
  ['EHOSTUNREACH', 'HOST_UNREACHABLE'],
  ['ENETUNREACH', 'HOST_UNREACHABLE'],
  ['ENOTFOUND', 'DNS_FAILED'],
  ['EAI_AGAIN', 'DNS_FAILED'],
  ['UND_ERR_CONNECT_TIMEOUT', 'CONNECT_TIMEOUT'],
  ['UND_ERR_HEADERS_TIMEOUT', 'TIMEOUT'],
  ['UND_ERR_BODY_TIMEOUT', 'TIMEOUT'],
  ['ETIMEDOUT', 'TIMEOUT'],
  ['ECONNRESET', 'CONNECTION_CLOSED'],
  ['UND_ERR_SOCKET', 'CONNECTION_CLOSED'],
  ['CERT_HAS_EXPIRED', 'TLS_ERROR'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS_ERROR'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'TLS_ERROR'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'TLS_ERROR'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'TLS_ERROR'],
  ['UND_ERR_DESTROYED', 'SHUTTING_DOWN'],
  ['UND_ERR_INVALID_ARG', 'INVALID_REQUEST'],
  ['Z_DATA_ERROR', 'INVALID_RESPONSE'],
  ['ESOMETHING', 'REQUEST_FAILED'],
  ['constructor', 'REQUEST_FAILED'],
])('%s of a driver is %s', (code, expected) => {
  expect(httpFaultOf(driverError(code))).toMatchObject({ code: expected, status: null });
});

test('what does not speak HTTP is INVALID_RESPONSE', () => {
  expect(httpFaultOf(new errors.HTTPParserError('Expected HTTP/')).code).toBe('INVALID_RESPONSE');
});

test('a fault says its code and nothing of the driver, whose error is its cause', () => {
  const error = driverError('ECONNRESET');
  const fault = httpFaultOf(error, 200);
  expect(String(fault)).toBe('HttpFault: CONNECTION_CLOSED');
  expect([fault.status, fault.cause]).toEqual([200, error]);
});

test('a fault stays the fault that it is, and takes the status of the response that it ended', () => {
  expect(httpFaultOf(new HttpFault('TIMEOUT'), 206)).toMatchObject({ code: 'TIMEOUT', status: 206 });
  expect(httpFaultOf(new HttpFault('TOO_LARGE', 200), 500)).toMatchObject({ code: 'TOO_LARGE', status: 200 });
});

test.each([undefined, null, 'text', 5, {}])('%p thrown is REQUEST_FAILED', (thrown) => {
  expect(httpFaultOf(thrown).code).toBe('REQUEST_FAILED');
});
