import type { Frozen, KubeObject } from '@slipway/kube';
import { type ControllerSet, coreEvents, type Resource } from '@slipway/runtime';
import { startTestPlane, type TestPlane } from '@slipway/testing/plane';
import {
  type Cluster,
  clusterApiControllers,
  clusters,
  labels,
  type MachineDeployment,
  machineDeployments,
  machines,
  type MachineSet,
  machineSets,
} from '../../src/index.js';
import { machineControllers } from '../../src/machine-controllers.js';
import { MachineActor } from './machine-actor.js';
import {
  kindsWithProvider,
  providerObject,
  referenceTo,
  testConfigs,
  testConfigTemplates,
  testMachines,
  testMachineTemplates,
} from './provider-kinds.js';

export const namespace = 'default';
export const keyOfName = (name: string): { namespace: string; name: string } => ({ namespace, name });

/** The controllers of machine groups, on a plane with a Cluster and templates. The test starts the machines. */
export class MachineEnvironment {
  readonly actor: MachineActor;

  private constructor(readonly plane: TestPlane) {
    this.actor = new MachineActor(plane);
  }

  /** Starts the environment. `gate` is a feature gate to enable that is disabled by default. */
  static async start(options: { readonly gate?: string } = {}): Promise<MachineEnvironment> {
    const featureGates = (clusterApiControllers.featureGates ?? []).map((gate) =>
      gate.name === options.gate ? { ...gate, default: true } : gate,
    );
    const set: ControllerSet = { ...clusterApiControllers, featureGates, controllers: machineControllers };
    const environment = new MachineEnvironment(await startTestPlane({ sets: [set], kinds: kindsWithProvider }));
    await environment.plane.client.create(clusters, cluster());
    await environment.createTemplate(testConfigTemplates, 'config');
    await environment.createTemplate(testMachineTemplates, 'machine');
    return environment;
  }

  async createTemplate(resource: Resource, name: string): Promise<void> {
    const template = { metadata: { labels: { size: 'l' } }, spec: { from: name } };
    await this.plane.client.create(resource, providerObject(resource, name, { template }));
  }

  machines(): ReturnType<MachineActor['list']> {
    return this.actor.list();
  }

  async names(resource: Resource): Promise<string[]> {
    const { items } = await this.plane.client.list(resource, { namespace });
    return items.map(({ metadata }) => metadata.name ?? '').sort();
  }

  /** Returns the names of Machines, infrastructure and bootstrap objects, which should be the same for the three kinds. */
  async triples(): Promise<{ machines: string[]; infrastructure: string[]; bootstrap: string[] }> {
    return {
      machines: await this.names(machines),
      infrastructure: await this.names(testMachines),
      bootstrap: await this.names(testConfigs),
    };
  }

  async scale(resource: Resource, name: string, replicas: number): Promise<void> {
    await this.patch(resource, name, { spec: { replicas } });
  }

  async patch(resource: Resource, name: string, patch: object): Promise<Frozen<KubeObject>> {
    return this.plane.client.patch(resource, keyOfName(name), { type: 'merge', patch: patch as never });
  }

  async patchStatus(resource: Resource, name: string, status: object): Promise<void> {
    const body = { type: 'merge', patch: { status } as never } as const;
    await this.plane.client.patch(resource, keyOfName(name), body, { subresource: 'status' });
  }

  set(name = 'ms'): Promise<Frozen<MachineSet>> {
    return this.plane.client.get(machineSets, keyOfName(name));
  }

  deployment(name = 'md'): Promise<Frozen<MachineDeployment>> {
    return this.plane.client.get(machineDeployments, keyOfName(name));
  }

  /** Returns `Reason: message` for each event of an object, unordered. */
  async eventsOf(name: string): Promise<string[]> {
    await this.plane.settle();
    const { items } = await this.plane.client.list(coreEvents, { namespace });
    return items
      .filter(({ involvedObject }) => involvedObject.name === name)
      .map(({ reason, message }) => `${reason ?? ''}: ${message ?? ''}`);
  }
}

export function cluster(name = 'c'): Cluster {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name, namespace },
    spec: {
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'TestCluster', name },
    },
  };
}

function machineTemplate(own: Record<string, string>): MachineSet['spec']['template'] {
  return {
    metadata: { labels: { ...own } },
    spec: {
      clusterName: 'c',
      version: 'v1.35.0',
      bootstrap: { configRef: referenceTo(providerObject(testConfigTemplates, 'config', {})) },
      infrastructureRef: referenceTo(providerObject(testMachineTemplates, 'machine', {})),
    },
  };
}

export function machineSet(replicas: number, change: (set: MachineSet) => void = () => undefined): MachineSet {
  const own = { [labels.setName]: 'ms', [labels.clusterName]: 'c' };
  const set: MachineSet = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name: 'ms', namespace },
    spec: { clusterName: 'c', replicas, selector: { matchLabels: { ...own } }, template: machineTemplate(own) },
  };
  change(set);
  return set;
}

export function machineDeployment(
  replicas: number,
  change: (deployment: MachineDeployment) => void = () => undefined,
): MachineDeployment {
  const own = { [labels.deploymentName]: 'md', [labels.clusterName]: 'c' };
  const deployment: MachineDeployment = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: { name: 'md', namespace },
    spec: { clusterName: 'c', replicas, selector: { matchLabels: { ...own } }, template: machineTemplate(own) },
  };
  change(deployment);
  return deployment;
}
