import { createRequire } from 'node:module';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { detectType } from '../dist/api/uploads/detect-type.js';
import { knownBlockchains } from '../dist/domain/blockchains.js';

const require = createRequire(import.meta.url);

/** Libraries mark so what they define while they are loaded: zod its registry, tslib its functions, Temporal its contexts. */
const SET_ON_LOAD = /^(Symbol\()?__\w/;
const EQUALITY_TESTERS = Symbol.for('$$jest-matchers-object');
/** Sockets and threads that a test has closed are gone a moment later. */
const CLOSING_MS = 500;
const LOOK_EVERY_MS = 20;

// Node loads many globals when they are first used.
for (const key of Reflect.ownKeys(globalThis)) void globalThis[key];

const threads = new Set();
process.on('worker', (thread) => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
});

// This thread stays when it has looked at its first file, and holds nothing of it: it is there before all test files.
await detectType(new Uint8Array());

/**
 * All that a test file can change for the next one in its process, by name: environment, globals, listeners, open resources,
 * and what modules set once for the whole process. jest has listeners of its own while a file runs: these are given.
 */
export function processState(listening = listeners()) {
  return new Map([
    ['working directory', { value: process.cwd() }],
    ['exit code', { value: process.exitCode }],
    ['known blockchains', { value: knownBlockchains() }],
    ['runtime of Temporal', { value: temporalRuntime() }],
    ['equality testers', { value: globalThis[EQUALITY_TESTERS]?.customEqualityTesters.length }],
    ...Object.entries(process.env).map(([name, value]) => [`environment: ${name}`, { value }]),
    ...listening,
    ...globals(),
    ...openResources(),
  ]);
}

/** The names of all that differs from the state `before`. Waits a moment for what is being closed. */
export async function changesSince(before) {
  const end = performance.now() + CLOSING_MS;
  for (;;) {
    const after = processState();
    const names = new Set([...before.keys(), ...after.keys()]);
    const changes = [...names].filter(
      (name) => !isSame(before.get(name), after.get(name)) && (before.has(name) || !SET_ON_LOAD.test(name)),
    );
    if (changes.length === 0 || performance.now() > end) return changes;
    await delay(LOOK_EVERY_MS);
  }
}

function isSame(before, after) {
  if ('count' in (before ?? after)) return (after?.count ?? 0) <= (before?.count ?? 0);
  return before !== undefined && before.get === after?.get && Object.is(before.value, after?.value);
}

export function listeners() {
  return process
    .eventNames()
    .flatMap((event) =>
      process.rawListeners(event).map((value, at) => [`listener ${at} of ${String(event)}`, { value }]),
    );
}

/**
 * The globals, and the properties of each and of its prototype. What symbols name is a library's own, and counts while it
 * works; what jest's console has collected belongs to the file.
 */
function globals() {
  return Reflect.ownKeys(globalThis).flatMap((key) => {
    const property = Object.getOwnPropertyDescriptor(globalThis, key);
    const name = String(key);
    const { value } = property;
    if (value === globalThis || typeof key === 'symbol' || key === 'console') return [[name, property]];
    return [
      [name, property],
      ...properties(name, value),
      ...properties(`${name}.prototype`, value?.prototype),
    ];
  });
}

function properties(name, owner) {
  if (!['object', 'function'].includes(typeof owner) || owner === null) return [];
  return Object.entries(Object.getOwnPropertyDescriptors(owner)).map(([key, property]) => [
    `${name}.${key}`,
    property,
  ]);
}

/** What keeps the process alive, and threads whether they do or not. */
function openResources() {
  const counts = new Map([['threads', { count: threads.size }]]);
  for (const type of process.getActiveResourcesInfo()) {
    counts.set(type, { count: (counts.get(type)?.count ?? 0) + 1 });
  }
  return counts;
}

/** A runtime lives as long as a worker or a connection of its. */
function temporalRuntime() {
  const module = require.cache[require.resolve('@temporalio/worker/lib/runtime')];
  return module?.exports.Runtime._instance;
}
