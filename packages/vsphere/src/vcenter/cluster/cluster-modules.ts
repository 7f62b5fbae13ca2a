import {
  clusters,
  followReference,
  keysOfCluster,
  machineDeployments,
  objectAt,
  type ObservedCluster,
} from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  FencedError,
  isDeleting,
  keyOf,
  mapToOwner,
  type ObjectKey,
  type ReconcileContext,
  type Sources,
} from '@slipway/runtime';
import { type VSphereCluster, vsphereClusters, vsphereMachineTemplates } from '../../api/index.js';
import { ClusterModules, Finder, retrieveOne, type VimSession } from '../../vim25/index.js';
import { openSession } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';

type Modules = NonNullable<VSphereCluster['spec']['clusterModules']>;
type Module = Modules[number];

export interface ModuleOwner {
  readonly name: string;
  readonly controlPlane: boolean;
  /** Name of the VSphereMachineTemplate. Undefined if the machines have another infrastructure kind. */
  readonly template: string | undefined;
}

/** Thrown if the resource pool belongs to a single host, so that anti-affinity does not apply. */
export class NoComputeCluster extends Error {}

export interface ModuleResult {
  readonly modules: Modules;
  readonly errors: readonly ModuleError[];
}

const oldestMajor = 7;

export function supportsModules(version: string): boolean {
  return Number(version.split('.', 1)[0]) >= oldestMajor;
}

/** Returns the objects whose machines are kept on different hosts: the control plane and every MachineDeployment. */
export async function observeModuleOwners(context: ReconcileContext, cluster: ObservedCluster): Promise<ModuleOwner[]> {
  const key = keyOf(cluster);
  const owners: ModuleOwner[] = [];
  const reference = cluster.spec.controlPlaneRef;
  if (reference !== undefined) {
    const wakes = (controlPlane: Frozen<KubeObject>): ObjectKey[] => withoutModule(context.sources, controlPlane);
    const { object } = await followReference(context, reference, key.namespace, clusters, wakes);
    const used = object && objectAt(object, 'spec', 'machineTemplate', 'spec', 'infrastructureRef');
    if (object !== undefined && !isDeleting(object)) {
      owners.push({ name: reference.name, controlPlane: true, template: templateName(used) });
    }
  }
  const source = context.sources.sourceFor(machineDeployments);
  for (const each of keysOfCluster(context.sources, machineDeployments, key)) {
    const deployment = source.get(each);
    if (deployment === undefined || isDeleting(deployment)) continue;
    const { infrastructureRef } = deployment.spec.template.spec;
    owners.push({ name: each.name, controlPlane: false, template: templateName(infrastructureRef) });
  }
  return owners;
}

/**
 * Maps a control plane to its VSphereCluster if a cluster module must be created or deleted for it. Other changes of the control
 * plane do not affect modules.
 */
function withoutModule(sources: Sources, controlPlane: Frozen<KubeObject>): ObjectKey[] {
  return [...mapToOwner(clusters)(controlPlane)].flatMap(({ namespace, name }) => {
    const reference = sources.sourceFor(clusters).get({ namespace, name })?.spec.infrastructureRef;
    if (reference?.kind !== vsphereClusters.kind || reference.apiGroup !== vsphereClusters.group) return [];
    const key = { namespace, name: reference.name };
    const modules = sources.sourceFor(vsphereClusters).get(key)?.spec.clusterModules ?? [];
    const hasOne = modules.some((module) => module.controlPlane);
    return hasOne === isDeleting(controlPlane) ? [key] : [];
  });
}

function templateName(reference: object | undefined): string | undefined {
  if (reference === undefined) return undefined;
  const { kind, name } = reference as { readonly kind?: string; readonly name?: string };
  return kind === vsphereMachineTemplates.kind ? name : undefined;
}

interface ModuleError {
  readonly owner: string;
  readonly error: Error;
}

/** Creates a module for each owner that has none, and deletes the modules of deleted owners. */
export async function ensureModules(
  context: ReconcileContext,
  dependencies: VCenterDependencies,
  vsphereCluster: Frozen<VSphereCluster>,
  owners: readonly ModuleOwner[],
  session: VimSession,
): Promise<ModuleResult> {
  const rest = new ClusterModules(session.rest, { signal: context.signal });
  const kept: Module[] = [];
  const errors: ModuleError[] = [];
  for (const module of vsphereCluster.spec.clusterModules ?? []) {
    const isWanted = owners.some((owner) => isFor(module, owner));
    try {
      if (!isWanted) await deleteModule(context, vsphereCluster, rest, module);
      else if ((await rest.members(module.moduleUUID)) !== undefined) kept.push({ ...module });
    } catch (error) {
      // Keep the entry and retry: modules have no names, so a lost ID cannot be found again.
      kept.push({ ...module });
      errors.push(moduleError(module.targetObjectName, error));
    }
  }
  for (const owner of owners) {
    if (kept.some((module) => isFor(module, owner)) || errors.some((one) => one.owner === owner.name)) continue;
    try {
      const id = await createModule(context, dependencies, vsphereCluster, owner);
      if (id !== undefined)
        kept.push({ controlPlane: owner.controlPlane, targetObjectName: owner.name, moduleUUID: id });
    } catch (error) {
      errors.push(moduleError(owner.name, error));
    }
  }
  return { modules: kept, errors };
}

function moduleError(owner: string, error: unknown): ModuleError {
  if (error instanceof FencedError) throw error;
  return { owner, error: error instanceof Error ? error : new Error(String(error)) };
}

function isFor(module: Pick<Module, 'controlPlane' | 'targetObjectName'>, owner: ModuleOwner): boolean {
  return module.controlPlane === owner.controlPlane && module.targetObjectName === owner.name;
}

function deleteModule(
  context: ReconcileContext,
  vsphereCluster: Frozen<VSphereCluster>,
  rest: ClusterModules,
  { moduleUUID, targetObjectName }: Module,
): Promise<void> {
  return context.change({
    verb: 'call',
    resource: vsphereClusters,
    key: keyOf(vsphereCluster),
    action: 'delete cluster module',
    reason: 'OwnerDeleted',
    message: `Deleting cluster module ${moduleUUID} of ${targetObjectName}`,
    run: () => rest.delete(moduleUUID),
    assume: () => undefined,
  });
}

async function createModule(
  context: ReconcileContext,
  dependencies: VCenterDependencies,
  vsphereCluster: Frozen<VSphereCluster>,
  { name: ownerName, template: name }: ModuleOwner,
): Promise<string | undefined> {
  if (name === undefined) return undefined;
  const { sources, signal } = context;
  const namespace = vsphereCluster.metadata.namespace ?? '';
  const template = sources.sourceFor(vsphereMachineTemplates).get({ namespace, name });
  const spec = template?.spec?.template.spec;
  // The template is missing, or its machines are in another vCenter.
  if (spec === undefined || spec.server !== vsphereCluster.spec.server) return undefined;
  const session = await openSession(context, dependencies, vsphereCluster, {
    server: spec.server,
    thumbprint: spec.thumbprint,
  });
  const finder = new Finder(session.soap, spec.datacenter ?? '*', { signal });
  const pool =
    spec.resourcePool === undefined
      ? await finder.findDefault('resourcePool', '*/Resources')
      : await finder.find('resourcePool', spec.resourcePool);
  const { owner } = await retrieveOne(session.soap, pool, ['owner'], { signal });
  if (owner?.type !== 'ClusterComputeResource') {
    throw new NoComputeCluster(
      `the owner of resource pool ${spec.resourcePool ?? '*/Resources'} is not a compute cluster`,
    );
  }
  return context.change({
    verb: 'call',
    resource: vsphereClusters,
    key: keyOf(vsphereCluster),
    action: 'create cluster module',
    reason: 'AntiAffinityRequired',
    message: `Creating a cluster module that keeps the machines of ${ownerName} on different hosts`,
    run: () => new ClusterModules(session.rest, { signal }).create(owner.value),
  });
}
