import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  controllerIndex,
  controllerOf,
  done,
  ensureFinalizer,
  hasFinalizer,
  isDeleting,
  isPaused,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  releaseFinalizer,
  type Resource,
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
import { templatesToDelete, type TemplateUser } from './templates-in-use.js';

/** A topology makes new templates whenever something in them changes: old ones go with the last MachineSet that uses them. */
export async function collectTemplatesOfSet(key: ObjectKey, context: ReconcileContext): Promise<Outcome> {
  const set = context.sources.sourceFor(machineSets).get(key);
  if (set === undefined) return done();
  return collect(context, machineSets, set, {
    finalizer: finalizers.machineSetTopology,
    others: () => usersBeside(context, set),
  });
}

/** Those that no MachineSet uses, because the deployment went before it made one. */
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
  /** Whoever else may use the templates. */
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
  for (const reference of templatesToDelete(object, others()))
    await deleteTemplate(context, reference, plain.metadata.namespace ?? '');
  await releaseFinalizer(context, resource as Resource, plain, finalizer);
  return done();
}

/** One that lost its label is let go all the same. */
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

async function deleteTemplate(context: ReconcileContext, reference: ObjectReference, namespace: string): Promise<void> {
  const { client, sources, signal, logger } = context;
  const key = { namespace, name: reference.name };
  try {
    const { resource } = resolveKind(sources, reference);
    await client.delete(resource, key, { signal });
    logger.info({ [reference.kind]: key, reason: 'NotUsedAnyMore' }, 'Deleted template');
  } catch (error) {
    // Nothing runs behind a template: without its kind there is nothing left to clean up.
    const missing: ProviderKindReason = 'DefinitionMissing';
    const isGone = error instanceof ReconcileError && error.reason === missing;
    if (!isGone && !isReason(error, 'NotFound')) throw error;
  }
}
