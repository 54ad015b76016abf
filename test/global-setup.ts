/** Runs once before all tests: PostgreSQL with a migrated template database, and a Temporal server. */
export { startTestEnvironment as default } from './test-environment.ts';
