// The types of the client that others install; its code is for Node.js, so the console has calls of its own.
export type { AnswerOf, BodyOf, Method, PathOf, Schemas } from '../../packages/client/src/operations.ts';
