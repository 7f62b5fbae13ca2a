import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type Change,
  controllerIndex,
  controllerOf,
  done,
  ensureFinalizer,
  hasFinalizer,
  isDeleting,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  releaseFinalizer,
  type Resource,
  type Sources,
} from '@slipway/runtime';
import {
  finalizers,
  labels,
  type MachineDeployment,
  machineDeployments,
  type MachineSet,
  machineSets,
} from '../api/index.js';
import { type ObjectReference, type ProviderKindReason, resolveKind } from '../contract/index.js';
import { clusterOf } from '../reconcile/index.js';
import { isPaused } from '../toolkit/index.js';
import { templatesToDelete, type TemplateUser } from './templates-in-use.js';

/**
 * Deletes the templates of a deleted MachineSet that no other object uses. A topology creates a new template for every change.
 */
export async function collectTemplatesOfSet(key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const set = context.sources.sourceFor(machineSets).get(key);
  if (set === undefined) return done();
  return collect(context, machineSets, set, {
    finalizer: finalizers.machineSetTopology,
    others: () => usersBeside(context, set),
  });
}

/**
 * Deletes templates of a deleted MachineDeployment that no MachineSet uses: the MachineDeployment was deleted before it
 * created a MachineSet.
 */
export async function collectTemplatesOfDeployment(key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const deployment = context.sources.sourceFor(machineDeployments).get(key);
  if (deployment === undefined) return done();
  return collect(context, machineDeployments, deployment, {
    finalizer: finalizers.machineDeploymentTopology,
    others: () => setsOf(context, deployment.metadata.uid),
  });
}

interface Collection {
  readonly finalizer: string;
  /** Returns the other objects that may use the templates. */
  readonly others: () => readonly TemplateUser[];
}

async function collect<T extends MachineSet | MachineDeployment>(
  context: ReconcileContext,
  resource: Resource<T>,
  object: Frozen<MachineSet> | Frozen<MachineDeployment>,
  { finalizer, others }: Collection,
): Promise<Outcome> {
  const { sources } = context;
  const plain: Frozen<KubeObject> = object;
  const cluster = clusterOf(sources, object);
  if (!isOfTopology(plain, finalizer)) return done();
  if (isPaused(plain, cluster)) return done();
  if (!isDeleting(plain)) {
    await ensureFinalizer(context, resource as Resource, plain, finalizer);
    return done();
  }
  if (!hasFinalizer(plain, finalizer)) return done();
  const { namespace = '' } = plain.metadata;
  const deletions = templatesToDelete(object, others()).flatMap((reference) =>
    deletionOf(context.sources, reference, namespace),
  );
  await context.changeAll(deletions);
  await releaseFinalizer(context, resource as Resource, plain, finalizer);
  return done();
}

/**
 * Whether the object belongs to a topology. Also true with the finalizer alone: an object that lost its label still needs the
 * finalizer removed.
 */
function isOfTopology(object: Frozen<KubeObject>, finalizer: string): boolean {
  return Object.hasOwn(object.metadata.labels ?? {}, labels.topologyOwned) || hasFinalizer(object, finalizer);
}

function usersBeside(context: ReconcileContext, set: Frozen<MachineSet>): TemplateUser[] {
  const owner = controllerOf(set);
  if (owner === undefined) return [];
  const { namespace = '', uid } = set.metadata;
  const deployment = context.sources.sourceFor(machineDeployments).get({ namespace, name: owner.name });
  const sets = setsOf(context, owner.uid).filter(({ metadata }) => metadata.uid !== uid);
  return deployment === undefined ? sets : [deployment, ...sets];
}

function setsOf({ sources }: ReconcileContext, uid: string | undefined): readonly Frozen<MachineSet>[] {
  return sources.sourceFor(machineSets).byIndex(controllerIndex, uid ?? '');
}

function deletionOf(sources: Sources, reference: ObjectReference, namespace: string): Change[] {
  const { kind, name } = reference;
  const message = `Deleted ${kind} ${name}: no MachineDeployment or MachineSet uses it`;
  try {
    const { resource } = resolveKind(sources, reference);
    return [{ verb: 'delete', resource, key: { namespace, name }, reason: 'TemplateUnused', message }];
  } catch (error) {
    // A template has no external resources, so that without its CRD there is nothing left to delete.
    const missing: ProviderKindReason = 'DefinitionMissing';
    if (error instanceof ReconcileError && error.reason === missing) return [];
    throw error;
  }
}
