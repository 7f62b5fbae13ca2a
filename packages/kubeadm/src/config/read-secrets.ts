import type { Frozen } from '@slipway/kube';
import { ifPresent, type Secret, secrets } from '@slipway/runtime';
import type { ConfigScope } from './config-scope.js';

/** The Secrets of these names that exist. Read from the server: this controller keeps no copy of Secrets. */
export async function readSecrets(
  scope: ConfigScope,
  names: readonly string[],
): Promise<ReadonlyMap<string, Frozen<Secret>>> {
  const found = await Promise.all(names.map((name) => readSecret(scope, name)));
  return new Map(names.flatMap((name, index) => (found[index] === undefined ? [] : [[name, found[index]] as const])));
}

export function readSecret(scope: ConfigScope, name: string): Promise<Frozen<Secret> | undefined> {
  const { client, signal } = scope.context;
  return ifPresent(client.get(secrets, { namespace: scope.namespace, name }, { signal }));
}
