import { createHash } from 'node:crypto';

/**
 * The status of a provisioned infrastructure or bootstrap object, with the fields of both contract versions. The API server
 * prunes fields that the schema lacks.
 */
export const contractStatus = {
  ready: true,
  initialization: { provisioned: true, dataSecretCreated: true },
} as const;

/** Returns an address from the benchmark range 198.18.0.0/15. The same uid always gets the same address. */
export function addressOf(uid: string): string {
  const [a = 0, b = 0] = createHash('sha256').update(uid).digest();
  return `198.18.${a}.${1 + (b % 254)}`;
}
