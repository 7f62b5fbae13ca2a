import { type Frozen, isReason } from '@slipway/kube';
import { type Secret, secrets } from '@slipway/runtime';
import type { ConfigScope } from './config-scope.js';

/** The Secrets of these names that exist. Read from the server: this controller keeps no copy of Secrets. */
export async function readSecrets(
  scope: ConfigScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, Frozen<Secret>>> {
  const found = await Promise.all(names.map((name) => readSecret(scope, name)));
  return new Map(names.flatMap((name, index) => (found[index] === undefined ? [] : [[name, found[index]] as const])));
}

export async function readSecret(scope: ConfigScope, name: string): Promise<Frozen<Secret> | undefined> {
  const { client, signal } = scope.context;
  try {
    return await client.get(secrets, { namespace: scope.namespace, name }, { signal });
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
