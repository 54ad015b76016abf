import { createRequire } from 'node:module';

const hooks = createRequire(import.meta.url)('node:async_hooks');
const { AsyncLocalStorage } = hooks;

/**
 * Node up to 22 copies every storage that was ever used to every promise and every socket that comes after: those of one
 * file after the other made the files at the end of a run four times as slow. These are in use since the last file.
 */
const used = new Set();

for (const method of ['run', 'enterWith']) {
  const original = AsyncLocalStorage.prototype[method];
  AsyncLocalStorage.prototype[method] = function remembered(...args) {
    used.add(this);
    return original.apply(this, args);
  };
}

/** To be called between two files. Whoever runs in a storage again switches it on again. */
export function endAsyncContexts() {
  for (const storage of used) storage.disable();
  used.clear();
}

/** What `load` returns; what it loads holds its contexts by the order of calls, which costs promises nothing. */
export function withoutAsyncContexts(load) {
  hooks.AsyncLocalStorage = OneAtATime;
  try {
    return load();
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

/** Stands in for an AsyncLocalStorage where one callback runs after the other, as tests and hooks do. */
class OneAtATime {
  #store;

  getStore() {
    return this.#store;
  }

  run(store, callback) {
    const before = this.#store;
    const end = () => {
      this.#store = before;
    };
    this.#store = store;
    let result;
    try {
      result = callback();
    } catch (error) {
      end();
      throw error;
    }
    if (typeof result?.then !== 'function') end();
    else result.then(end, end);
    return result;
  }
}
