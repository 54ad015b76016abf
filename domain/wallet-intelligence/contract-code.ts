/** The kind of EVM code at an address, recognised by its bytes. */
export interface ContractKind {
  kind: 'NONE' | 'DELEGATED' | 'MINIMAL_PROXY' | 'SAFE' | 'ACCOUNT' | 'CONTRACT';
  /** The target of a delegation or of a minimal proxy. */
  target: string | null;
}

const DELEGATION = /^0xef0100([0-9a-f]{40})$/;
// EIP-1167, and its variant with a shorter address.
const MINIMAL_PROXY = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af43d82803e903d91602b57fd5bf3/;
// A Safe's proxy implements masterCopy() itself; no other contract has this combination of bytes.
const SAFE_PROXY =
  /^0x60806040(?:52|.{2,80}?)73ffffffffffffffffffffffffffffffffffffffff600054167fa619486e0{56}/;
/** PUSH4 of validateUserOp, in versions 0.6 and 0.7 of ERC-4337's entry point. */
const VALIDATES_USER_OPERATIONS = /63(?:3a871cdd|19822f7c)/;

/** The kind of the code at an address; `implementationCode` is the code of a minimal proxy's target, if known. */
export function contractKind(code: string, implementationCode: string | null = null): ContractKind {
  if (code === '0x') return { kind: 'NONE', target: null };
  const delegate = DELEGATION.exec(code)?.[1];
  if (delegate) return { kind: 'DELEGATED', target: `0x${delegate}` };
  if (SAFE_PROXY.test(code)) return { kind: 'SAFE', target: null };
  const proxied = MINIMAL_PROXY.exec(code)?.[1];
  const target = proxied ? `0x${proxied}` : null;
  if (VALIDATES_USER_OPERATIONS.test(code) || VALIDATES_USER_OPERATIONS.test(implementationCode ?? '')) {
    return { kind: 'ACCOUNT', target };
  }
  return target ? { kind: 'MINIMAL_PROXY', target } : { kind: 'CONTRACT', target: null };
}
