import * as clusterApi from '@slipway/cluster-api';
import { type Cluster, clusters, labels, type Machine, machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { type Client, edit, getCondition, ownerReference, type Secret } from '@slipway/runtime';
import { patchObject, startTestPlane, type TestPlane } from '@slipway/testing/plane';
import {
  kubeadmAdmission,
  kubeadmConfigs,
  kubeadmControllers,
  kubeadmConversions,
  kubeadmKinds,
} from '../src/index.js';
import type { KubeadmConfig } from '../src/api/index.js';

export const namespace = 'default';
export const key = (name: string): { namespace: string; name: string } => ({ namespace, name });
export const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name: 'x' };

export const created = (config: Frozen<KubeadmConfig>): boolean =>
  config.status?.initialization?.dataSecretCreated === true;

export const saying =
  (message: string) =>
  (config: Frozen<KubeadmConfig>): boolean =>
    getCondition(config, 'DataSecretAvailable')?.message.includes(message) === true;

export function dataOf(secret: Frozen<Secret>): string {
  return Buffer.from(secret.data?.['value'] ?? '', 'base64').toString('utf8');
}

/** A management plane with only the kubeadm controllers. The tests simulate the core controllers. */
export class ConfigFixture {
  private constructor(
    readonly plane: TestPlane,
    readonly client: Client,
  ) {}

  static async start(): Promise<ConfigFixture> {
    const plane = await startTestPlane({
      sets: [kubeadmControllers],
      kinds: (find) => ({
        name: 'test',
        kinds: [...clusterApi.clusterApiKinds, ...kubeadmKinds],
        converters: clusterApi.createConverters(
          [...clusterApi.clusterApiConversions, ...kubeadmConversions],
          clusterApi.contractVersionsFrom(find),
        ),
        rules: clusterApi.bindAdmission(
          [...clusterApi.clusterApiAdmission, ...kubeadmAdmission],
          clusterApi.featureGateDefaults,
        ),
      }),
    });
    await plane.client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name: 'c', namespace },
      spec: {
        controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevCluster', name: 'c' },
      },
    });
    return new ConfigFixture(plane, plane.client);
  }

  createMachine(name: string, controlPlane = false): Promise<Frozen<Machine>> {
    const configRef = { apiGroup: kubeadmConfigs.group, kind: kubeadmConfigs.kind, name };
    return this.client.create(machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name,
        namespace,
        labels: { [labels.clusterName]: 'c', ...(controlPlane && { [labels.controlPlane]: '' }) },
      },
      spec: { clusterName: 'c', version: 'v1.36.1', bootstrap: { configRef }, infrastructureRef },
    });
  }

  createConfig(
    owner: Parameters<typeof ownerReference>[0],
    spec: KubeadmConfig['spec'] = { clusterConfiguration: { encryptionAlgorithm: 'ECDSA-P256' } },
  ): Promise<Frozen<KubeadmConfig>> {
    return this.client.create(kubeadmConfigs, {
      apiVersion: 'bootstrap.cluster.x-k8s.io/v1beta2',
      kind: 'KubeadmConfig',
      metadata: {
        name: owner.metadata.name ?? '',
        namespace,
        labels: { [labels.clusterName]: 'c' },
        ownerReferences: [ownerReference(owner, { controller: true })],
      },
      ...(spec && { spec }),
    });
  }

  async machineWithConfig(name: string, controlPlane: boolean, spec?: KubeadmConfig['spec']): Promise<void> {
    await this.createConfig(await this.createMachine(name, controlPlane), spec);
  }

  async changeCluster(recipe: Parameters<typeof edit<Frozen<Cluster>>>[1]): Promise<void> {
    const now = await this.client.get(clusters, key('c'));
    await patchObject(this.client, clusters, now, edit(now, recipe), { ownedConditions: 'all' });
  }

  provision(): Promise<void> {
    return this.changeCluster((draft) => {
      draft.status = { ...draft.status, initialization: { infrastructureProvisioned: true } };
    });
  }

  initialize(): Promise<void> {
    return this.changeCluster((draft) => {
      const lastTransitionTime = '2026-01-01T00:00:00Z';
      const condition = {
        type: 'ControlPlaneInitialized',
        status: 'True',
        reason: 'Initialized',
        message: '',
      } as const;
      draft.status = { ...draft.status, conditions: [{ ...condition, lastTransitionTime }] };
    });
  }

  /** Creates everything that a join needs: infrastructure, certificates, a control plane and its API. */
  async readyCluster(): Promise<Client> {
    await this.provision();
    await this.machineWithConfig('first', true);
    await this.plane.until(kubeadmConfigs, key('first'), created);
    const workload = await this.plane.addWorkload(key('c'));
    await this.initialize();
    return workload;
  }
}
