import { cutLifecycles } from './lifecycle-cuts.ts';

cutLifecycles('ODD');
