import { createHash } from 'node:crypto';
import { canonicalJson, type Frozen, type JsonValue } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';
import type { FrozenProvider } from '../api/index.js';

/** Everything that decides what is installed. */
export interface HashInput {
  readonly provider: FrozenProvider;
  readonly configSecret: Readonly<Record<string, string>>;
  /** Those of the version that was chosen: others of a catalogue may come and go. */
  readonly manifests: readonly Frozen<ConfigMap>[];
  readonly additionalManifests: Frozen<ConfigMap> | undefined;
  readonly cache: readonly unknown[];
  readonly operatorConfig: string;
}

/** Equal exactly when a rendering would be. The order of keys does not count. */
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
