import { type Reader, ifPresent, type ObjectKey, type RequestOptions, secrets } from '@slipway/runtime';
import type { FrozenProvider } from '../api/index.js';

interface Reference {
  readonly name: string;
  readonly namespace?: string;
}

/** Returns the key of a referenced object. The namespace defaults to that of the provider. */
export function keyOfReference({ metadata }: FrozenProvider, { name, namespace }: Reference): ObjectKey {
  return { namespace: namespace === undefined || namespace === '' ? (metadata.namespace ?? '') : namespace, name };
}

/** Returns the base64-encoded data of the Secret with the variables of a provider, or undefined if the Secret does not exist. */
export async function readConfigSecret(
  read: Reader,
  provider: FrozenProvider,
  options: RequestOptions,
): Promise<Readonly<Record<string, string>> | undefined> {
  const reference = provider.spec?.configSecret;
  if (reference === undefined) return {};
  // Not read from a cache, which would keep all Secrets in memory.
  const secret = await ifPresent(read.get(secrets, keyOfReference(provider, reference), options));
  return secret === undefined ? undefined : (secret.data ?? {});
}

/** Decodes the variables. Every key of the Secret is a variable. */
export function variablesOf(data: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(data).map(([name, value]) => [name, Buffer.from(value, 'base64').toString('utf8')]));
}
