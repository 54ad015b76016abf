/** Runs once after all tests. */
export { stopTestEnvironment as default } from './test-environment.ts';
