import type { JudgingDeps } from '../../transaction-screening/judge-in-time.ts';
import { emailNetwork, type EmailNetworkDeps } from './email.ts';
import { nativeNetwork } from './native.ts';
import type { MessageNetworks } from './network.ts';
import { trpNetwork } from './trp.ts';

/** Every network that carries messages. A partner's gateway is a tenant, so its messages are delivered as between tenants. */
export function messageNetworks(
  screening: JudgingDeps,
  outside: Omit<EmailNetworkDeps, 'db'>,
): MessageNetworks {
  const native = nativeNetwork(screening);
  return {
    NATIVE: native,
    PARTNER: native,
    TRP: trpNetwork(screening),
    EMAIL: emailNetwork({ ...outside, db: screening.db }),
  };
}
