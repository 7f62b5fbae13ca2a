import type { Frozen } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import { operatorAnnotations } from '../api/index.js';
import { type Cache, dataOf } from '../cache/cache-secret.js';
import { hashOf } from '../cache/spec-hash.js';
import { type OperatorConfig, readOperatorConfig } from '../configuration/operator-config.js';
import { readConfigSecret, variablesOf } from '../configuration/variables.js';
import { readAdditionalManifests } from '../manifests/stored-manifests.js';
import type { ProviderScope } from './provider-scope.js';

/** Inputs of rendering besides the provider object. */
export interface Inputs {
  /** Data of the Secret with variables. Undefined if the referenced Secret does not exist. */
  readonly configSecret: Readonly<Record<string, string>> | undefined;
  readonly config: OperatorConfig;
  readonly operatorConfig: string;
  readonly additionalManifests: Frozen<ConfigMap> | 'none' | undefined;
}

/** Minimum length of Secret values to redact from messages: shorter values would match ordinary text. */
const secretLengthMin = 4;

export async function readInputs(scope: ProviderScope): Promise<Inputs> {
  const { read, dependencies, provider, request } = scope;
  const configSecret = await readConfigSecret(read, provider, request);
  const operatorConfig = await dependencies.readConfig();
  const variables = variablesOf(configSecret ?? {});
  scope.secretValues = [...variables.values()].filter((value) => value.length >= secretLengthMin);
  return {
    configSecret,
    operatorConfig,
    config: readOperatorConfig(provider, { text: operatorConfig, variables, builtin: dependencies.builtin }),
    additionalManifests: await readAdditionalManifests(read, provider, request),
  };
}

export function hashInputs(
  scope: ProviderScope,
  inputs: Inputs,
  manifests: readonly Frozen<ConfigMap>[],
  cache: Cache,
): string {
  const { configSecret = {}, additionalManifests, operatorConfig } = inputs;
  return hashOf({
    provider: scope.provider,
    configSecret,
    manifests,
    additionalManifests: additionalManifests === 'none' ? undefined : additionalManifests,
    cache: dataOf(cache),
    operatorConfig,
  });
}

/**
 * Returns whether the cache is installed. The hashes on the cache and on the provider must both match: after a restored Secret or
 * a re-created object they do not reflect what is installed.
 */
export function isApplied({ provider }: ProviderScope, { secret }: Cache, hash: string): boolean {
  const annotation = operatorAnnotations.appliedSpecHash;
  return secret.metadata.annotations?.[annotation] === hash && provider.metadata.annotations?.[annotation] === hash;
}
