import { createHash } from 'node:crypto';

function bytesOf(seed: string): Buffer {
  return createHash('sha256').update(seed).digest();
}

/**
 * Returns the address of a machine, derived from its uid. No client connects to it: the range 198.18.0.0/15 is reserved for
 * benchmarks.
 */
export function machineAddress(uid: string): string {
  const [a = 0, b = 0] = bytesOf(`machine/${uid}`);
  return `198.18.${a}.${1 + (b % 254)}`;
}

/** Returns a loopback address, derived from the uid, so that a cluster can listen on the port of its load balancer. */
export function loadBalancerAddress(uid: string): string {
  const [a = 0, b = 0, c = 0] = bytesOf(`load balancer/${uid}`);
  return `127.${1 + (a % 254)}.${b}.${1 + (c % 254)}`;
}
