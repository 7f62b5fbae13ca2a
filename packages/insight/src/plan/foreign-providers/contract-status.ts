import { createHash } from 'node:crypto';

/** The status fields of both contract versions, for infrastructure and bootstrap objects. Fields outside of a schema are pruned. */
export const contractStatus = {
  ready: true,
  initialization: { provisioned: true, dataSecretCreated: true },
} as const;

/** An address from a documentation range, the same for the same machine. */
export function addressOf(uid: string): string {
  const [a = 0, b = 0] = createHash('sha256').update(uid).digest();
  return `198.18.${a}.${1 + (b % 254)}`;
}
