import { createHash } from 'node:crypto';

/** What both contracts want to read, of infrastructure and of bootstrap data; what a schema does not know is left out. */
export const contractStatus = {
  ready: true,
  initialization: { provisioned: true, dataSecretCreated: true },
} as const;

/** An address for documentation, the same for the same machine. */
export function addressOf(uid: string): string {
  const [a = 0, b = 0] = createHash('sha256').update(uid).digest();
  return `198.18.${a}.${1 + (b % 254)}`;
}
