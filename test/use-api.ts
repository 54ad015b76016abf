import { startTestApi, type Json, type TestApi, type TestApiOptions } from './api-client.ts';
import { testDatabase, type TestDatabase } from './database.ts';
import { createTenant, type TestTenant } from './factories/tenant.ts';

/** A function runs before the API starts: for options that are not known sooner, such as the URL of a fake server. */
type Options = TestApiOptions | (() => TestApiOptions | Promise<TestApiOptions>);

/** What the tests of an API have started beside it. */
const closingsOf = new WeakMap<TestApi, (() => Promise<void>)[]>();

/**
 * Starts the API on a database of its own before the tests of the file, or of the describe block, that calls this. Both
 * end after the last of these tests. The objects returned are empty until then: read them inside tests and hooks only.
 */
export function useApi(options: Options = {}): { api: TestApi; database: TestDatabase } {
  const database = {} as TestDatabase;
  const api = {} as TestApi;
  const closings: (() => Promise<void>)[] = [];
  closingsOf.set(api, closings);
  beforeAll(async () => {
    Object.assign(database, await testDatabase());
    closings.push(database.drop);
    Object.assign(
      api,
      await startTestApi(database, typeof options === 'function' ? await options() : options),
    );
    closings.push(api.stop);
  });
  // In reverse order: an API stops before its database is dropped.
  afterAll(async () => {
    for (const close of closings.toReversed()) await close();
  });
  return { api, database };
}

/** Starts another API on the database of `first`, with its master key. It ends before `first`, which useApi has started. */
export async function startSecondApi(first: TestApi, options: TestApiOptions = {}): Promise<TestApi> {
  const { DATABASE_URL, MASTER_KEY } = first.config;
  const config = { ...options.config, MASTER_KEY };
  const api = await startTestApi({ url: DATABASE_URL }, { ...options, config });
  const closings = closingsOf.get(first);
  if (!closings) throw new Error('the first API is not one of useApi');
  closings.push(api.stop);
  return api;
}

/** One tenant for all tests of the file or describe block. `overrides` are fields of the operator's create body. */
export function useTenant(api: TestApi, overrides: Json = {}): TestTenant {
  const tenant = {} as TestTenant;
  beforeAll(async () => void Object.assign(tenant, await createTenant(api, overrides)));
  return tenant;
}

/** A new tenant for each test of the file or describe block. */
export function useTenantPerTest(api: TestApi, overrides: Json = {}): TestTenant {
  const tenant = {} as TestTenant;
  beforeEach(async () => void Object.assign(tenant, await createTenant(api, overrides)));
  return tenant;
}
