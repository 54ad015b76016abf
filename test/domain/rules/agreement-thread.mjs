// A hundred thousand rule sets take minutes among jest's modules, which reach every global slowly, and seconds here.
import { register } from 'tsx/esm/api';

register();
await import('./judge-both.ts');
