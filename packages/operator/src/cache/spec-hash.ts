import { createHash } from 'node:crypto';
import { canonicalJson, type Frozen, type JsonValue } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import type { FrozenProvider } from '../api/index.js';

/** All inputs that determine the installed objects. */
export interface HashInput {
  readonly provider: FrozenProvider;
  readonly configSecret: Readonly<Record<string, string>>;
  /** ConfigMaps of the selected version only: other versions do not affect the installation. */
  readonly manifests: readonly Frozen<ConfigMap>[];
  readonly additionalManifests: Frozen<ConfigMap> | undefined;
  readonly cache: readonly unknown[];
  readonly operatorConfig: string;
}

/** Returns a hash that is equal if and only if the rendered components are equal. The key order is ignored. */
export function hashOf(input: HashInput): string {
  const contents = ({ data = {}, binaryData = {} }: Frozen<ConfigMap>): JsonValue => ({ data, binaryData });
  const parts: JsonValue = [
    (input.provider.spec ?? {}) as JsonValue,
    input.configSecret,
    [...input.manifests]
      .sort((left, right) => ((left.metadata.name ?? '') < (right.metadata.name ?? '') ? -1 : 1))
      .map(contents),
    input.additionalManifests === undefined ? null : contents(input.additionalManifests),
    input.cache as JsonValue,
    input.operatorConfig,
  ];
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
