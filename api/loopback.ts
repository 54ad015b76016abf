import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Whether a name or an IP address leads to this machine alone. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true;
  const address = host.replace(/^::ffff:/i, '');
  const family = isIP(address);
  return family > 0 && loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

/** The name or address of `host:port`, without brackets. */
export function hostOf(text: string): string {
  return text.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}
