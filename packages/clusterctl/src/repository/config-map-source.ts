import { gunzipSync } from 'node:zlib';
import type { Frozen } from '@slipway/kube';
import { type Client, type ConfigMap, configMaps } from '@slipway/runtime';
import { labels } from '@slipway/cluster-api';
import type { ReleaseSource } from './release-source.js';

const versionLabel = 'provider.cluster.x-k8s.io/version';
const compressedAnnotation = 'provider.cluster.x-k8s.io/compressed';

/**
 * Reads releases from ConfigMaps of one namespace, one per version. Each has a provider label and a version label, or a version
 * annotation if the version is not a valid label value. Keys are file names. The keys `metadata` and `components` of the provider
 * operator are supported too.
 */
export class ConfigMapSource implements ReleaseSource {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #label: string;

  constructor(client: Client, namespace: string, label: string) {
    this.#client = client;
    this.#namespace = namespace;
    this.#label = label;
  }

  async versions(): Promise<readonly string[]> {
    return [...(await this.#releases()).keys()];
  }

  async read(version: string, file: string): Promise<string | undefined> {
    const release = (await this.#releases()).get(version);
    return release === undefined ? undefined : (fileOf(release, file) ?? fileOf(release, operatorKey(file)));
  }

  describe(version: string, file: string): string {
    return `${file} in a ConfigMap in ${this.#namespace} labelled ${labels.provider}=${this.#label}, ${versionLabel}=${version}`;
  }

  async #releases(): Promise<ReadonlyMap<string, Frozen<ConfigMap>>> {
    const labelSelector = `${labels.provider}=${this.#label}`;
    const { items } = await this.#client.list(configMaps, { namespace: this.#namespace, labelSelector });
    return new Map(
      items.flatMap((item) => {
        const { annotations = {}, labels: own = {} } = item.metadata;
        const version = annotations[versionLabel] ?? own[versionLabel];
        return version === undefined ? [] : [[version, item] as const];
      }),
    );
  }
}

function operatorKey(file: string): string {
  return file === 'metadata.yaml' ? 'metadata' : file.endsWith('-components.yaml') ? 'components' : file;
}

function fileOf({ data = {}, binaryData = {}, metadata }: Frozen<ConfigMap>, key: string): string | undefined {
  const text = Object.hasOwn(data, key) ? data[key] : undefined;
  if (text !== undefined) return text;
  const encoded = Object.hasOwn(binaryData, key) ? binaryData[key] : undefined;
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  return (metadata.annotations?.[compressedAnnotation] === 'true' ? gunzipSync(bytes) : bytes).toString('utf8');
}
