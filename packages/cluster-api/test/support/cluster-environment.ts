import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { generatePrivateKey } from '@slipway/pki';
import {
  type Client,
  type Conditioned,
  type ControllerSet,
  coreEvents,
  getCondition,
  type Node,
  nodes,
  type Resource,
} from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import { clusterController } from '../../src/cluster/index.js';
import { type Cluster, clusterApiControllers, clusters, labels, type Machine, machines } from '../../src/index.js';
import { machineController } from '../../src/machine/index.js';
import { kindsOfAllContracts, testClusters } from './more-provider-kinds.js';
import { providerObject, referenceTo, testConfigs, testControlPlanes, testMachines } from './provider-kinds.js';

const namespace = 'default';
export const clusterKey = { namespace, name: 'c' };
export const keyOfName = (name: string): { namespace: string; name: string } => ({ namespace, name });

let key: ReturnType<typeof generatePrivateKey> | undefined;
/** One key for all tests, generated before virtual time starts, because virtual time does not wait for the generation. */
const keys = { next: (): ReturnType<typeof generatePrivateKey> => (key ??= generatePrivateKey('RSA')) };

/** The cluster and machine controllers. The test acts as the providers. */
export class ClusterEnvironment {
  private constructor(readonly plane: TestPlane) {}

  static async start(own: Partial<ControllerSet> = {}): Promise<ClusterEnvironment> {
    await keys.next();
    const controllers = [clusterController({ keys }), machineController()];
    const sets = [{ ...clusterApiControllers, controllers, ...own }];
    return new ClusterEnvironment(await startTestPlane({ sets, kinds: kindsOfAllContracts }));
  }

  get client(): Client {
    return this.plane.client;
  }

  /** Creates a cluster with infrastructure, a control plane and one machine, not yet provisioned. */
  async createAll(): Promise<void> {
    await this.client.create(clusters, cluster());
    await this.client.create(testClusters, providerObject(testClusters, 'c', {}));
    await this.client.create(testControlPlanes, providerObject(testControlPlanes, 'c', { replicas: 1 }));
    await this.createMachine('cp', { [labels.controlPlane]: '' });
  }

  async createMachine(
    name: string,
    own: Record<string, string> = {},
    change: (machine: Machine) => void = () => undefined,
  ): Promise<void> {
    await this.client.create(testConfigs, providerObject(testConfigs, name, {}));
    await this.client.create(testMachines, providerObject(testMachines, name, {}));
    await this.client.create(machines, machine(name, own, change));
  }

  /** Acts as the providers until the cluster is connected. Returns the workload cluster's client. */
  async bringUpCluster(): Promise<Client> {
    await this.patch(testClusters, 'c', { spec: { controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 } } });
    await this.patchStatus(testClusters, 'c', { initialization: { provisioned: true } });
    const workload = await this.plane.addWorkload(clusterKey);
    await this.bringUpMachine('cp', workload);
    await this.patchStatus(testControlPlanes, 'c', {
      initialization: { controlPlaneInitialized: true },
      conditions: [
        { type: 'Available', status: 'True', reason: 'Available', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    });
    await this.cluster((object) => conditionText(object, 'Available').startsWith('True'));
    return workload;
  }

  async bringUpMachine(name: string, workload: Client): Promise<void> {
    const status = { initialization: { dataSecretCreated: true }, dataSecretName: `${name}-data` };
    await this.patchStatus(testConfigs, name, status);
    await this.patch(testMachines, name, { spec: { providerID: `test://${name}` } });
    await this.patchStatus(testMachines, name, { initialization: { provisioned: true } });
    await workload.create(nodes, node(name));
    await this.machine(name, (object) => object.status?.nodeRef !== undefined);
  }

  cluster(check: (object: Frozen<Cluster>) => boolean = () => true): Promise<Frozen<Cluster>> {
    return this.plane.until(clusters, clusterKey, check);
  }

  machine(name: string, check: (object: Frozen<Machine>) => boolean = () => true): Promise<Frozen<Machine>> {
    return this.plane.until(machines, keyOfName(name), check);
  }

  async patch(resource: Resource, name: string, patch: object): Promise<Frozen<KubeObject>> {
    return this.client.patch(resource, keyOfName(name), { type: 'merge', patch: patch as JsonObject });
  }

  async patchStatus(resource: Resource, name: string, status: object): Promise<void> {
    const body = { type: 'merge', patch: { status } as JsonObject } as const;
    await this.client.patch(resource, keyOfName(name), body, { subresource: 'status' });
  }

  /** Returns `Reason: message` for each event of an object, unordered. */
  async eventsOf(name: string): Promise<string[]> {
    await this.plane.settle();
    const { items } = await this.client.list(coreEvents, { namespace });
    return items
      .filter(({ involvedObject }) => involvedObject.name === name)
      .map(({ reason, message }) => `${reason ?? ''}: ${message ?? ''}`);
  }
}

export function cluster(change: (cluster: Cluster) => void = () => undefined): Cluster {
  const made: Cluster = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name: 'c', namespace },
    spec: {
      infrastructureRef: referenceTo(providerObject(testClusters, 'c', {})),
      controlPlaneRef: referenceTo(providerObject(testControlPlanes, 'c', {})),
    },
  };
  change(made);
  return made;
}

export function machine(
  name: string,
  own: Record<string, string> = {},
  change: (machine: Machine) => void = () => undefined,
): Machine {
  const made: Machine = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: { name, namespace, labels: { [labels.clusterName]: 'c', ...own } },
    spec: {
      clusterName: 'c',
      version: 'v1.35.0',
      bootstrap: { configRef: referenceTo(providerObject(testConfigs, name, {})) },
      infrastructureRef: referenceTo(providerObject(testMachines, name, {})),
    },
  };
  change(made);
  return made;
}

const wellConditions = [
  ['Ready', 'True'],
  ['MemoryPressure', 'False'],
  ['DiskPressure', 'False'],
  ['PIDPressure', 'False'],
].map(([type = '', status = '']) => ({ type, status, reason: 'Kubelet', message: '' }));

export function node(name: string): Node {
  const info = ['machineID', 'systemUUID', 'bootID', 'kernelVersion', 'osImage', 'containerRuntimeVersion'];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: {
      providerID: `test://${name}`,
      taints: [{ key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' }],
    },
    status: {
      conditions: wellConditions,
      nodeInfo: {
        ...(Object.fromEntries(info.map((field) => [field, field])) as Record<'machineID', string>),
        kubeletVersion: 'v1.35.0',
        kubeProxyVersion: '',
        operatingSystem: 'linux',
        architecture: 'amd64',
      } as NonNullable<NonNullable<Node['status']>['nodeInfo']>,
    },
  };
}

/** Returns a condition as `status reason: message`. */
export function conditionText(object: Frozen<Cluster> | Frozen<Machine>, type: string): string {
  const condition = getCondition(object as Conditioned, type);
  return condition === undefined ? '' : `${condition.status} ${condition.reason}: ${condition.message}`;
}
