import type { ObjectStore } from '@slipway/apiserver';
import { clusters, labels, machineDeployments, machines } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmConfigs, kubeadmControlPlanes } from '@slipway/kubeadm';
import type { Resource } from '@slipway/runtime';
import { workersName } from '../users/manifests.js';
import type { Provider } from '../providers/provider.js';
import type { UserCluster } from '../users/users.js';
import { namespace } from '../objects/names.js';
import type { Infrastructure } from '../providers/infrastructure.js';
import { clusterLabel, conditionOf, isDeleting, objectsOf, ownerUid, partOf } from '../objects/object-fields.js';

interface Spec {
  readonly replicas?: number;
  readonly version?: string;
  readonly infrastructureRef?: { readonly name: string };
  readonly bootstrap?: { readonly configRef?: { readonly name: string } };
}

interface Status {
  readonly replicas?: number;
  readonly availableReplicas?: number;
  readonly upToDateReplicas?: number;
  readonly phase?: string;
  readonly nodeRef?: { readonly name: string };
}

/** The existing objects, by cluster and kind. */
class Inventory {
  readonly #byCluster = new Map<string, Map<string, Frozen<KubeObject>[]>>();

  constructor(
    store: ObjectStore,
    /** The infrastructure provider's machine kind. */
    readonly ownMachines: Resource,
  ) {
    for (const resource of this.kinds)
      for (const object of objectsOf(store, resource)) this.#add(resource.kind, object);
  }

  get kinds(): readonly Resource[] {
    const others = [clusters, machineDeployments, machines, kubeadmConfigs, kubeadmControlPlanes];
    return [...others, this.ownMachines];
  }

  of(cluster: string, { kind }: Resource): readonly Frozen<KubeObject>[] {
    return this.#byCluster.get(cluster)?.get(kind) ?? [];
  }

  named(cluster: string, resource: Resource, name: string): Frozen<KubeObject> | undefined {
    return this.of(cluster, resource).find(({ metadata }) => metadata.name === name);
  }

  #add(kind: string, object: Frozen<KubeObject>): void {
    const cluster = kind === 'Cluster' ? (object.metadata.name ?? '') : (clusterLabel(object) ?? ownName(object));
    const kinds = this.#byCluster.get(cluster) ?? new Map<string, Frozen<KubeObject>[]>();
    this.#byCluster.set(cluster, kinds);
    kinds.set(kind, [...(kinds.get(kind) ?? []), object]);
  }
}

/** Returns the cluster name of an object without the label: the name of every object begins with the name of its cluster. */
function ownName({ metadata }: Frozen<KubeObject>): string {
  return (metadata.name ?? '').split('-')[0] ?? '';
}

/** Returns the differences from the state that the users desire, or an empty list. */
export function unsettled(
  stores: readonly ObjectStore[],
  infrastructure: Infrastructure,
  desired: readonly UserCluster[],
  provider: Provider,
): readonly string[] {
  const inventories = stores.map((store) => new Inventory(store, provider.machines));
  return desired.flatMap((cluster) => {
    const { name } = cluster.desired;
    const shouldExist = cluster.state === 'created';
    // A cluster exists on exactly one plane.
    const problems = inventories.flatMap((inventory, plane) =>
      shouldExist && plane === cluster.home
        ? aliveProblems(inventory, infrastructure, cluster).map((text) => `${name}: ${text}`)
        : leftoverProblems(inventory, name),
    );
    if (!shouldExist && infrastructure.get({ namespace, name }) !== undefined) problems.push(`${name} still runs`);
    return problems;
  });
}

function leftoverProblems(inventory: Inventory, name: string): string[] {
  const left = inventory.kinds.flatMap((resource) => inventory.of(name, resource));
  return left.map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''} still exists`);
}

function aliveProblems(inventory: Inventory, infrastructure: Infrastructure, cluster: UserCluster): string[] {
  const { name, controlPlanes, workers, version } = cluster.desired;
  const object = inventory.named(name, clusters, name);
  if (object === undefined) return ['there is no Cluster'];
  const all = inventory.of(name, machines);
  const isControlPlane = ({ metadata }: Frozen<KubeObject>): boolean =>
    Object.hasOwn(metadata.labels ?? {}, labels.controlPlane);
  const ofControlPlane = all.filter(isControlPlane);
  return [
    ...notTrue(object, 'Available'),
    ...scalableProblems(inventory.named(name, kubeadmControlPlanes, name), 'control plane', controlPlanes),
    ...scalableProblems(inventory.named(name, machineDeployments, workersName(name)), 'workers', workers),
    ...countProblem('control plane Machines', ofControlPlane.length, controlPlanes),
    ...countProblem('worker Machines', all.length - ofControlPlane.length, workers),
    ...all.flatMap((machine) => machineProblems(inventory, name, machine, version)),
    ...countProblem(`${inventory.ownMachines.kind}s`, inventory.of(name, inventory.ownMachines).length, all.length),
    ...countProblem('KubeadmConfigs', inventory.of(name, kubeadmConfigs).length, all.length),
    ...runningProblems(infrastructure, name, all, ofControlPlane),
  ];
}

function notTrue(object: Frozen<KubeObject>, type: string): string[] {
  const found = conditionOf(object, type);
  if (found?.status === 'True') return [];
  const { kind, metadata } = object;
  return [`${kind} ${metadata.name ?? ''} is not ${type}: ${found?.reason ?? 'no condition'} ${found?.message ?? ''}`];
}

function countProblem(label: string, actual: number, desired: number): string[] {
  return actual === desired ? [] : [`${actual} ${label} instead of ${desired}`];
}

function scalableProblems(object: Frozen<KubeObject> | undefined, label: string, desired: number): string[] {
  if (object === undefined) return [`the ${label} object is missing`];
  const { replicas, availableReplicas, upToDateReplicas } = partOf<Status>(object, 'status');
  const counts = { replicas, availableReplicas, upToDateReplicas };
  return Object.entries(counts).flatMap(([name, count]) =>
    countProblem(`${name} of the ${label}`, count ?? 0, desired),
  );
}

function machineProblems(
  inventory: Inventory,
  cluster: string,
  machine: Frozen<KubeObject>,
  version: string,
): string[] {
  const { name = '' } = machine.metadata;
  const { version: has } = partOf<Spec>(machine, 'spec');
  const { phase, nodeRef } = partOf<Status>(machine, 'status');
  const problems: string[] = [];
  if (isDeleting(machine)) problems.push(`Machine ${name} is being deleted`);
  if (phase !== 'Running' || nodeRef === undefined) problems.push(`Machine ${name} is ${phase ?? 'nothing'}`);
  if (has !== version) problems.push(`Machine ${name} has ${has ?? 'no version'}`);
  problems.push(...notTrue(machine, 'Ready'));
  return [...problems, ...partProblems(inventory, cluster, machine)];
}

/** Returns a problem for each missing object: every Machine must have its own infrastructure and bootstrap objects. */
function partProblems(inventory: Inventory, cluster: string, machine: Frozen<KubeObject>): string[] {
  const { name = '', uid } = machine.metadata;
  const { infrastructureRef, bootstrap } = partOf<Spec>(machine, 'spec');
  const parts = [
    inventory.named(cluster, inventory.ownMachines, infrastructureRef?.name ?? ''),
    inventory.named(cluster, kubeadmConfigs, bootstrap?.configRef?.name ?? ''),
  ];
  const isOwn = (part: Frozen<KubeObject> | undefined): boolean =>
    part !== undefined && ownerUid(part, 'Machine') === uid;
  return parts.every(isOwn) ? [] : [`Machine ${name} does not own its infrastructure machine and its KubeadmConfig`];
}

/** Compares running infrastructure with the objects: no VM without an object, no etcd member without a Machine. */
function runningProblems(
  infrastructure: Infrastructure,
  name: string,
  all: readonly Frozen<KubeObject>[],
  controlPlanes: readonly Frozen<KubeObject>[],
): string[] {
  const workload = infrastructure.get({ namespace, name });
  if (workload === undefined) return ['nothing runs'];
  const names = (objects: readonly Frozen<KubeObject>[]): string =>
    objects
      .map((machine) => partOf<Spec>(machine, 'spec').infrastructureRef?.name ?? '')
      .sort()
      .join(' ');
  const differs = (label: string, actual: readonly string[], should: string): string[] => {
    const text = [...actual].sort().join(' ');
    return text === should ? [] : [`${label} are [${text}] instead of [${should}]`];
  };
  const nodes = (workload.objects?.list('nodes') ?? []).map(({ metadata }) => metadata.name ?? '');
  return [
    ...differs('virtual machines', workload.machines, names(all)),
    ...differs('Nodes', nodes, names(all)),
    ...differs(
      'etcd members',
      workload.etcd.members.map((member) => member.name),
      names(controlPlanes),
    ),
  ];
}
