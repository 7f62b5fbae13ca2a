import { createHash } from 'node:crypto';

function bytesOf(seed: string): Buffer {
  return createHash('sha256').update(seed).digest();
}

/** An address for documentation that stays with the machine: nobody has to reach it. */
export function machineAddress(uid: string): string {
  const [a = 0, b = 0] = bytesOf(`machine/${uid}`);
  return `198.18.${a}.${1 + (b % 254)}`;
}

/** An address of this machine, so that a cluster answers on the port that its load balancer has. */
export function loadBalancerAddress(uid: string): string {
  const [a = 0, b = 0, c = 0] = bytesOf(`load balancer/${uid}`);
  return `127.${1 + (a % 254)}.${b}.${1 + (c % 254)}`;
}
