// Where sources run uncompiled, as in tests, a thread has to be taught TypeScript first.
import { register } from 'tsx/esm/api';

register();
await import('./index-thread.ts');
