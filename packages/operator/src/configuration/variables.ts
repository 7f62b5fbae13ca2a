import { type Reader, ifPresent, type ObjectKey, type RequestOptions, secrets } from '@slipway/runtime';
import type { FrozenProvider } from '../api/index.js';

interface Reference {
  readonly name: string;
  readonly namespace?: string;
}

/** Where a reference of a provider points; its own namespace unless it names one. */
export function keyOfReference({ metadata }: FrozenProvider, { name, namespace }: Reference): ObjectKey {
  return { namespace: namespace === undefined || namespace === '' ? (metadata.namespace ?? '') : namespace, name };
}

/** The data of the Secret with the variables of a provider, as it is stored; undefined when there is no such Secret. */
export async function readConfigSecret(
  read: Reader,
  provider: FrozenProvider,
  options: RequestOptions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const reference = provider.spec?.configSecret;
  if (reference === undefined) return {};
  // Uncached: a copy of every Secret has no place in a controller.
  const secret = await ifPresent(read.get(secrets, keyOfReference(provider, reference), options));
  return secret === undefined ? undefined : (secret.data ?? {});
}

/** Every key is a variable of the manifests. */
export function variablesOf(data: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]));
}
