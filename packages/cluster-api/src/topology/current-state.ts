import type { Frozen, KubeObject } from '@slipway/kube';
import { labelIndex, ReconcileError, type ReconcileContext, type Resource, type Watch } from '@slipway/runtime';
import {
  labels,
  type Machine,
  type MachineDeployment,
  machineDeployments,
  machineHealthChecks,
  type MachineHealthCheck,
  type MachinePool,
  machinePools,
  machines,
} from '../api/index.js';
import { fieldAt, type KindReference } from '../contract/index.js';
import { controlPlaneFields } from './control-plane-fields.js';
import { kindLike, readObject } from './provider-objects.js';
import type {
  Blueprint,
  CurrentControlPlane,
  CurrentDeployment,
  CurrentPool,
  CurrentState,
  ObservedCluster,
  ObservedObject,
} from './topology-state.js';

export interface CurrentStateContext extends Pick<ReconcileContext, 'sources' | 'follow'> {
  readonly map: Watch['map'];
  /** Returns the kubelet version of a Node of the workload cluster. */
  readonly kubeletVersion: (node: string) => Promise<string | undefined>;
}

/** Reads the existing objects of a topology. */
export async function readCurrentState(
  context: CurrentStateContext,
  cluster: ObservedCluster,
  blueprint: Blueprint,
): Promise<CurrentState> {
  const { infrastructureRef, controlPlaneRef } = cluster.spec;
  const reader = new Reader(context, cluster, blueprint);
  return {
    cluster,
    ...(infrastructureRef === undefined
      ? {}
      : { infrastructureCluster: await reader.owned(infrastructureRef, blueprint.infrastructureCluster, cluster) }),
    ...(controlPlaneRef === undefined ? {} : { controlPlane: await reader.controlPlane(controlPlaneRef) }),
    machineDeployments: await reader.deployments(),
    machinePools: await reader.pools(),
  };
}

interface NamedReference extends KindReference {
  readonly name: string;
}

class Reader {
  readonly namespace: string;
  readonly clusterKey: string;

  constructor(
    readonly context: CurrentStateContext,
    readonly cluster: ObservedCluster,
    readonly blueprint: Blueprint,
  ) {
    this.namespace = cluster.metadata.namespace ?? '';
    this.clusterKey = `${this.namespace}/${cluster.metadata.name ?? ''}`;
  }

  /** Reads an object that the topology owns. Rejects other objects instead of adopting them. */
  async owned(
    reference: NamedReference,
    template: ObservedObject | undefined,
    referrer: Pick<Frozen<KubeObject>, 'kind' | 'metadata'>,
  ): Promise<ObservedObject> {
    const { context, namespace } = this;
    const kind = kindLike(context.sources, reference, template);
    const object = await readObject(context, kind, { namespace, name: reference.name }, context.map);
    if (Object.hasOwn(object.metadata.labels ?? {}, labels.topologyOwned)) return object;
    throw new ReconcileError(
      'NotTopologyOwned',
      `${describe(object)} referenced from ${describe(referrer)} is not topology owned`,
      { retry: 'onChange', remedy: `add the label ${labels.topologyOwned} to it if the topology should manage it` },
    );
  }

  async controlPlane(reference: NamedReference): Promise<CurrentControlPlane> {
    const { template, contract, machineInfrastructure } = this.blueprint.controlPlane;
    const object = await this.owned(reference, template, this.cluster);
    if (machineInfrastructure === undefined) return { object };
    const machineReference = referenceIn(object, controlPlaneFields[contract].infrastructureRef);
    const healthCheck = this.#healthCheck(object);
    return {
      object,
      machineInfrastructure: await this.owned(machineReference, machineInfrastructure, object),
      ...(healthCheck === undefined ? {} : { healthCheck }),
    };
  }

  async deployments(): Promise<ReadonlyMap<string, CurrentDeployment>> {
    const found = this.#workers(machineDeployments, labels.topologyDeploymentName);
    const state = new Map<string, CurrentDeployment>();
    for (const [name, object] of found) state.set(name, await this.#deployment(name, object));
    return state;
  }

  async #deployment(name: string, object: Frozen<MachineDeployment>): Promise<CurrentDeployment> {
    const healthCheck = this.#healthCheck(object);
    const common = {
      object,
      isUpgrading: isDeploymentUpgrading(object, this.#machinesOf(object, labels.topologyDeploymentName, name)),
      ...(healthCheck === undefined ? {} : { healthCheck }),
    };
    // The templates of a deleting object may already be deleted.
    if (typeof object.metadata.deletionTimestamp === 'string') return common;
    const { bootstrap, infrastructureRef } = object.spec.template.spec;
    const { machineDeployments: list = [] } = this.blueprint.topology.workers ?? {};
    const className = list.find((topology) => topology.name === name)?.class;
    const worker = className === undefined ? undefined : this.blueprint.machineDeployments.get(className);
    const { configRef } = bootstrap;
    if (configRef === undefined) throw missingReference(object, 'a Bootstrap Config');
    return {
      ...common,
      bootstrap: await this.owned(configRef, worker?.bootstrap, object),
      infrastructure: await this.owned(infrastructureRef, worker?.infrastructure, object),
    };
  }

  async pools(): Promise<ReadonlyMap<string, CurrentPool>> {
    const found = this.#workers(machinePools, labels.topologyPoolName);
    const state = new Map<string, CurrentPool>();
    for (const [name, object] of found) state.set(name, await this.#pool(name, object));
    return state;
  }

  async #pool(name: string, object: Frozen<MachinePool>): Promise<CurrentPool> {
    const isUpgrading = await this.#isPoolUpgrading(object);
    if (typeof object.metadata.deletionTimestamp === 'string') return { object, isUpgrading };
    const { bootstrap, infrastructureRef } = object.spec.template.spec;
    const { machinePools: list = [] } = this.blueprint.topology.workers ?? {};
    const className = list.find((topology) => topology.name === name)?.class;
    const worker = className === undefined ? undefined : this.blueprint.machinePools.get(className);
    const { configRef } = bootstrap;
    if (configRef === undefined) throw missingReference(object, 'a Bootstrap Config');
    return {
      object,
      isUpgrading,
      bootstrap: await this.owned(configRef, worker?.bootstrap, object),
      infrastructure: await this.owned(infrastructureRef, worker?.infrastructure, object),
    };
  }

  async #isPoolUpgrading({ spec, status }: Frozen<MachinePool>): Promise<boolean> {
    const { version } = spec.template.spec;
    if (version === undefined) return false;
    for (const { name } of status?.nodeRefs ?? []) {
      if (name !== undefined && (await this.context.kubeletVersion(name)) !== version) return true;
    }
    return false;
  }

  /** Returns the topology-owned objects of the cluster by their topology name, which is unique. */
  #workers<T extends MachineDeployment | MachinePool>(resource: Resource<T>, label: string): Map<string, Frozen<T>> {
    const source = this.context.sources.sourceFor(resource);
    const found = new Map<string, Frozen<T>>();
    for (const object of source.byIndex(labelIndex(labels.clusterName), this.clusterKey)) {
      const plain = object as Frozen<KubeObject>;
      const own = plain.metadata.labels ?? {};
      if (!Object.hasOwn(own, labels.topologyOwned)) continue;
      const name = own[label] ?? '';
      if (name === '') throw brokenWorker(`failed to find label ${label} in ${describe(plain)}`);
      if (found.has(name)) throw brokenWorker(`duplicate ${describe(plain)} found for label ${label}: ${name}`);
      found.set(name, object);
    }
    return found;
  }

  #machinesOf(object: Frozen<MachineDeployment>, label: string, name: string): readonly Frozen<Machine>[] {
    const source = this.context.sources.sourceFor(machines);
    return source
      .byIndex(labelIndex(label), `${object.metadata.namespace ?? ''}/${name}`)
      .filter(({ spec }) => spec.clusterName === this.cluster.metadata.name);
  }

  #healthCheck({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>): Frozen<MachineHealthCheck> | undefined {
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' };
    return this.context.sources.sourceFor(machineHealthChecks).get(key);
  }
}

/** Whether the version of some machines or of their Nodes differs from that of the MachineDeployment. */
function isDeploymentUpgrading(object: Frozen<MachineDeployment>, owned: readonly Frozen<Machine>[]): boolean {
  const { version } = object.spec.template.spec;
  if (version === undefined) return false;
  return owned.some(({ spec, status }) => {
    const kubelet = status?.nodeInfo?.kubeletVersion ?? '';
    return spec.version !== version || (kubelet !== '' && kubelet !== version);
  });
}

function referenceIn(object: ObservedObject, path: readonly string[]): NamedReference {
  const value = fieldAt(object, ...path) as Readonly<Record<string, string>> | undefined;
  const { apiGroup, apiVersion = '', kind = '', name = '' } = value ?? {};
  if (name === '') throw missingReference(object, `a template at ${path.join('.')}`);
  return { apiGroup: apiGroup ?? apiVersion.split('/')[0] ?? '', kind, name };
}

function missingReference(object: Pick<Frozen<KubeObject>, 'kind' | 'metadata'>, what: string): ReconcileError {
  return brokenWorker(`${describe(object)} does not have a reference to ${what}`);
}

function brokenWorker(message: string): ReconcileError {
  return new ReconcileError('InvalidTopologyObject', message, {
    retry: 'onChange',
    remedy: 'correct the object, or delete it so that it is created again',
  });
}

export function describe({ kind, metadata }: Pick<Frozen<KubeObject>, 'kind' | 'metadata'>): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}
