import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  configMaps,
  type Deployment,
  deployments,
  getCondition,
  isConditionTrue,
  type ObjectKey,
  type Resource,
} from '@slipway/runtime';
import { manifestConfigMaps, providerResources } from '../src/index.js';
import type { FrozenProvider, ProviderObject, ProviderSpec } from '../src/api/index.js';
import { untilObject } from '@slipway/testing/plane';
import { ensureNamespace } from './operator-under-test.js';
import { managerName, type StockRelease, stockFiles } from './stock-release.js';

export type Named = Pick<StockRelease, 'name' | 'type'>;

export const core = { name: 'cluster-api', type: 'CoreProvider' } as const;
/** Label selector of the manifests. Every ConfigMap of these tests has this label. */
const selector = { matchLabels: { release: 'stock' } };

export const namespaceOf = ({ name }: Named): string => `${name}-system`;
export const keyOf = (of: Named): ObjectKey => ({ namespace: namespaceOf(of), name: of.name });
export const managerKey = (of: Named): ObjectKey => ({ namespace: namespaceOf(of), name: managerName(of) });

type Check = (provider: FrozenProvider) => boolean;

export const hasReason =
  (type: string, reason: string): Check =>
  (provider) =>
    getCondition(provider, type)?.reason === reason;
export const isReady: Check = (provider) => isConditionTrue(provider, 'Ready');
export const runs =
  (version: string): Check =>
  (provider) =>
    provider.status?.installedVersion === version && isReady(provider);

/** User actions on providers, and their observed status. */
export class OperatorFixture {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  /** Stores a release in ConfigMaps, as in an air-gapped cluster. */
  async provide(release: StockRelease): Promise<void> {
    const namespace = namespaceOf(release);
    await ensureNamespace(this.client, namespace);
    const files = { version: release.version, ...stockFiles(release) };
    for (const map of manifestConfigMaps(release, files, { namespace })) {
      const labels = { ...map.metadata.labels, release: 'stock' };
      await this.client.create(configMaps, { ...map, metadata: { ...map.metadata, labels } });
    }
  }

  async create(of: Named, spec: ProviderSpec = {}, namespace = namespaceOf(of)): Promise<Frozen<ProviderObject>> {
    await ensureNamespace(this.client, namespace);
    return this.client.create(providerResources[of.type], {
      apiVersion: 'operator.cluster.x-k8s.io/v1alpha2',
      kind: of.type,
      metadata: { name: of.name, namespace },
      spec: { fetchConfig: { selector }, ...spec },
    });
  }

  async change(of: Named, spec: object): Promise<void> {
    await this.patch(providerResources[of.type], keyOf(of), { spec });
  }

  patch(resource: Resource, key: ObjectKey, patch: object, subresource = ''): Promise<Frozen<KubeObject>> {
    return this.client.patch(resource, key, { type: 'merge', patch: patch as never }, { subresource });
  }

  reaches(of: Named, check: Check): Promise<FrozenProvider> {
    return this.reachesAt(of, keyOf(of), check);
  }

  /** Waits for a provider in another namespace. */
  reachesAt({ type }: Named, key: ObjectKey, check: Check): Promise<FrozenProvider> {
    return untilObject(this.client, providerResources[type], key, check);
  }

  manager(of: Named): Promise<Frozen<Deployment>> {
    return this.client.get(deployments, managerKey(of));
  }

  async installCore(version = 'v1.13.0'): Promise<void> {
    await this.provide({ ...core, version });
    await this.create(core, { version });
    await this.reaches(core, runs(version));
  }

  /** Deletes the manager Deployment and waits until the operator re-creates it. */
  async breakAndRepair(of: Named): Promise<void> {
    const { uid } = (await this.manager(of)).metadata;
    await this.client.delete(deployments, managerKey(of));
    await untilObject(this.client, deployments, managerKey(of), ({ metadata }) => metadata.uid !== uid);
  }
}
