import type { Frozen } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import { operatorAnnotations } from '../api/index.js';
import { type Cache, dataOf } from '../cache/cache-secret.js';
import { hashOf } from '../cache/spec-hash.js';
import { type OperatorConfig, readOperatorConfig } from '../configuration/operator-config.js';
import { readConfigSecret, variablesOf } from '../configuration/variables.js';
import { readAdditionalManifests } from '../manifests/stored-manifests.js';
import type { ProviderScope } from './provider-scope.js';

/** What a rendering depends on beside the provider itself. */
export interface Inputs {
  /** Undefined when the Secret that is named is not there. */
  readonly configSecret: Readonly<Record<string, string>> | undefined;
  readonly config: OperatorConfig;
  readonly operatorConfig: string;
  readonly additionalManifests: Frozen<ConfigMap> | 'none' | undefined;
}

/** Short values would make holes into every message. */
const secretLengthMin = 4;

export async function readInputs(scope: ProviderScope): Promise<Inputs> {
  const { read, world, provider, request } = scope;
  const configSecret = await readConfigSecret(read, provider, request);
  const operatorConfig = await world.readConfig();
  const variables = variablesOf(configSecret ?? {});
  scope.secretValues = [...variables.values()].filter((value) => value.length >= secretLengthMin);
  return {
    configSecret,
    operatorConfig,
    config: readOperatorConfig(provider, { text: operatorConfig, variables, builtin: world.builtin }),
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

/** Both must say so: a restored Secret, or an object that was made anew, knows nothing of what is installed. */
export function isApplied({ provider }: ProviderScope, { secret }: Cache, hash: string): boolean {
  const annotation = operatorAnnotations.appliedSpecHash;
  return secret.metadata.annotations?.[annotation] === hash && provider.metadata.annotations?.[annotation] === hash;
}
