import { formatMicroTime, isReason, type KubeObject } from '@slipway/kube';
import {
  type Client,
  csiNodes,
  daemonSets,
  deployments,
  ifPresent,
  leases,
  namespaces,
  nodes,
  secrets,
  type Resource,
} from '@slipway/runtime';
import {
  csiDriverName,
  operatorNamespace,
  vdoConfigs,
  vsphereCloudConfigs,
  type VdoConfig,
  type VsphereCloudConfig,
} from '../../src/api/index.js';

export const uuidOf = (place: number): string => `420a0000-0000-4000-8000-00000000000${place}`;

/** Simulates kubelets, workload controllers and the drivers' pods. */
export class SimulatedCluster {
  constructor(
    readonly client: Client,
    readonly now: () => number,
    /** Returns the UUID of the VM of a node. */
    readonly machineOf: (place: number) => string = uuidOf,
  ) {}

  async ensureNamespace(name: string): Promise<void> {
    try {
      await this.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }

  async secret(name: string, username: string, password: string, namespace = 'kube-system'): Promise<void> {
    const metadata = { name, namespace };
    const data = { username: base64(username), password: base64(password) };
    await this.client.apply(
      secrets,
      metadata,
      { apiVersion: 'v1', kind: 'Secret', metadata, type: 'kubernetes.io/basic-auth', data },
      { fieldManager: 'test', force: true },
    );
  }

  async connection(name: string, spec: Partial<NonNullable<VsphereCloudConfig['spec']>> = {}): Promise<void> {
    await this.client.create(vsphereCloudConfigs, {
      apiVersion: 'vdo.vmware.com/v1alpha1',
      kind: 'VsphereCloudConfig',
      metadata: { name, namespace: operatorNamespace },
      spec: { vcIp: 'vc1.example.com', insecure: true, credentials: `${name}-creds`, datacenters: ['DC0'], ...spec },
    });
  }

  async vdoConfig(spec: VdoConfig['spec'], metadata: KubeObject['metadata'] = {}): Promise<void> {
    await this.client.create(vdoConfigs, {
      apiVersion: 'vdo.vmware.com/v1alpha1',
      kind: 'VDOConfig',
      metadata: { name: 'vdo', namespace: operatorNamespace, ...metadata },
      spec,
    });
  }

  /** Adds Nodes as kubelets with an external cloud provider register them. The first `controlPlanes` have that role. */
  async addNodes(count: number, controlPlanes = 1): Promise<void> {
    for (let place = 0; place < count; place += 1) {
      const name = `node-${place}`;
      const labels: Record<string, string> =
        place < controlPlanes ? { 'node-role.kubernetes.io/control-plane': '' } : {};
      await this.client.create(nodes, {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name, labels },
        spec: {
          taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'yes', effect: 'NoSchedule' }],
        },
      });
      await this.setStatus(
        nodes,
        { namespace: '', name },
        {
          conditions: [
            {
              type: 'Ready',
              status: 'True',
              reason: 'KubeletReady',
              message: '',
              lastHeartbeatTime: null,
              lastTransitionTime: null,
            },
          ],
          addresses: [{ type: 'Hostname', address: name }],
          nodeInfo: { ...blankInfo, systemUUID: this.machineOf(place).toUpperCase() },
        },
      );
    }
  }

  /** Simulates the cloud provider, which initializes nodes. */
  async initializeNodes(): Promise<void> {
    const { items } = await this.client.list(nodes);
    for (const [place, { metadata }] of items.entries())
      await this.merge(
        nodes,
        { namespace: '', name: metadata.name ?? '' },
        { spec: { providerID: `vsphere://${this.machineOf(place)}`, taints: null } },
      );
  }

  /**
   * Marks every workload of the drivers as rolled out and registers every node. Skips workloads that the operator
   * deletes meanwhile.
   */
  async settleWorkloads(options: { readonly except?: readonly string[] } = {}): Promise<void> {
    const all = (await this.client.list(nodes)).items;
    for (const { metadata } of (await this.client.list(daemonSets)).items) {
      const isIll = options.except?.includes(metadata.name ?? '') === true;
      const desired = all.length;
      const ready = isIll ? 0 : desired;
      const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      await ifPresent(
        this.setStatus(daemonSets, key, {
          observedGeneration: metadata.generation,
          currentNumberScheduled: desired,
          desiredNumberScheduled: desired,
          numberMisscheduled: 0,
          numberReady: ready,
          numberAvailable: ready,
          updatedNumberScheduled: desired,
        }),
      );
    }
    for (const { metadata, spec } of (await this.client.list(deployments)).items) {
      const replicas = options.except?.includes(metadata.name ?? '') === true ? 0 : (spec?.replicas ?? 1);
      const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
      await ifPresent(
        this.setStatus(deployments, key, {
          observedGeneration: metadata.generation,
          replicas,
          readyReplicas: replicas,
          availableReplicas: replicas,
          updatedReplicas: replicas,
        }),
      );
    }
    await this.renewLease();
    for (const { metadata } of all) await this.registerNode(metadata.name ?? '');
  }

  async renewLease(): Promise<void> {
    const metadata = { namespace: 'kube-system', name: 'cloud-controller-manager' };
    const spec = { holderIdentity: 'node-0', leaseDurationSeconds: 15, renewTime: formatMicroTime(this.now()) };
    await this.client.apply(
      leases,
      metadata,
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec },
      { fieldManager: 'test', force: true },
    );
  }

  async registerNode(name: string, driver = csiDriverName): Promise<void> {
    const metadata = { namespace: '', name };
    const spec = { drivers: [{ name: driver, nodeID: name, topologyKeys: null }] };
    const found = await ifPresent(this.client.get(csiNodes, metadata));
    if (found !== undefined) return;
    await this.client.create(csiNodes, {
      apiVersion: 'storage.k8s.io/v1',
      kind: 'CSINode',
      metadata: { name },
      spec: spec as never,
    });
  }

  async merge(resource: unknown, key: { namespace: string; name: string }, patch: object): Promise<void> {
    await this.client.patch(resource as Resource, key, { type: 'merge', patch: patch as never });
  }

  async setStatus(resource: unknown, key: { namespace: string; name: string }, status: object): Promise<void> {
    const body = { type: 'merge', patch: { status } as never } as const;
    await this.client.patch(resource as Resource, key, body, { subresource: 'status' });
  }
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const blankInfo = {
  machineID: '',
  bootID: '',
  kernelVersion: '',
  osImage: '',
  containerRuntimeVersion: '',
  kubeletVersion: '',
  kubeProxyVersion: '',
  operatingSystem: 'linux',
  architecture: 'amd64',
};
