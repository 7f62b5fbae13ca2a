import { deletionHookPrefixes } from '@slipway/cluster-api';
import { controlPlaneAnnotations } from '@slipway/kubeadm';
import { kubectlArguments, type Observed, refOf, refText } from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import { isInfrastructure } from '../condition-state.js';
import type { Finding } from '../explanation.js';
import { conditionFact, conditionFinding, finding, isDeleting, type Rule } from '../view.js';

/** Kubernetes' own finalizers, which its controllers remove. */
const systemFinalizers = new Set(['foregroundDeletion', 'orphan', 'kubernetes']);

/** Returns the finalizers that belong neither to Kubernetes nor to Cluster API or one of its providers. */
function foreignFinalizers(object: Observed): readonly string[] {
  return (object.metadata.finalizers ?? []).filter((finalizer) => {
    const [domain = ''] = finalizer.split('/');
    return !systemFinalizers.has(finalizer) && !/(^|\.)(cluster\.x-k8s\.io|cluster\.k8s\.io)$/.test(domain);
  });
}

function deletionHooks(object: Observed): readonly string[] {
  const prefixes = Object.values(deletionHookPrefixes);
  return Object.keys(object.metadata.annotations ?? {})
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .toSorted();
}

const machineStages: Readonly<Record<string, Rule>> = {
  WaitingForPreDrainHook: (object) => hookFinding(object, deletionHookPrefixes.preDrain),
  WaitingForPreTerminateHook: (object) => hookFinding(object, deletionHookPrefixes.preTerminate),
  DrainingNode: (object, view) => {
    const condition = conditionOf(object, 'Deleting');
    if (condition === undefined) return undefined;
    const target = kubectlArguments(refOf(object));
    return conditionFinding('DrainBlocked', object, condition, view, [
      `kubectl annotate ${target} machine.cluster.x-k8s.io/exclude-node-draining=`,
    ]);
  },
  WaitingForVolumeDetach: (object, view) => {
    const condition = conditionOf(object, 'Deleting');
    if (condition === undefined) return undefined;
    const target = kubectlArguments(refOf(object));
    return conditionFinding('VolumesAttached', object, condition, view, [
      `kubectl annotate ${target} machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach=`,
    ]);
  },
};

/** Reports the stage at which the deletion of a Machine is blocked. */
export const machineDeletion: Rule = (object, view) => {
  if (object.kind !== 'Machine' || !isDeleting(object)) return undefined;
  const stage = conditionOf(object, 'Deleting')?.reason ?? '';
  return machineStages[stage]?.(object, view);
};

function hookFinding(object: Observed, prefix: string): Finding | undefined {
  // The control plane controller removes its own hook.
  const hooks = deletionHooks(object).filter(
    (name) => name.startsWith(prefix) && name !== controlPlaneAnnotations.preTerminateCleanup,
  );
  if (hooks.length === 0) return undefined;
  const condition = conditionOf(object, 'Deleting');
  return finding(
    'DeletionHook',
    object,
    `the deletion of ${refText(refOf(object))} is blocked by the hook annotation ${hooks.join(', ')}`,
    {
      reason: condition?.reason ?? 'DeletionHook',
      evidence: [
        ...hooks.map((name) => ({
          object: refOf(object),
          fact: `has the annotation ${name}: ${JSON.stringify(object.metadata.annotations?.[name] ?? '')}`,
        })),
        ...(condition === undefined ? [] : [conditionFact(object, condition)]),
      ],
      next: hooks.map((name) => `kubectl annotate ${kubectlArguments(refOf(object))} ${name}-`),
    },
  );
}

/**
 * Reports an object on which only finalizers of other programs are left. Controllers remove the finalizers of Cluster API when
 * their clean-up is done.
 */
export const foreignFinalizer: Rule = (object) => {
  if (!isDeleting(object)) return undefined;
  const foreign = foreignFinalizers(object);
  const own = (object.metadata.finalizers ?? []).length - foreign.length;
  if (foreign.length === 0 || own > 0) return undefined;
  return finding(
    'ForeignFinalizer',
    object,
    `the deletion of ${refText(refOf(object))} is blocked by the finalizer ${foreign.join(', ')}`,
    {
      evidence: [
        { object: refOf(object), fact: `metadata.deletionTimestamp is ${object.metadata.deletionTimestamp ?? ''}` },
        { object: refOf(object), fact: `metadata.finalizers contains ${foreign.join(', ')}` },
      ],
      next: [`slipway unblock ${kubectlArguments(refOf(object))} --dry-run`],
    },
  );
};

/** The fallback for a deletion that no other rule explains: the controller is working on it, or does not run. */
export const deletionRunning: Rule = (object, view) => {
  if (!isDeleting(object)) return undefined;
  const condition = conditionOf(object, 'Deleting');
  const target = kubectlArguments(refOf(object));
  const finalizers = {
    object: refOf(object),
    fact: `metadata.finalizers contains ${(object.metadata.finalizers ?? []).join(', ')}`,
  };
  if (condition?.status === 'True' && condition.reason === 'WaitingForBeforeDeleteHook')
    return conditionFinding('LifecycleHookBlocks', object, condition, view, [`kubectl get ${target} -o yaml`]);
  const found =
    condition?.status === 'True'
      ? conditionFinding('DeletionRunning', object, condition, view)
      : finding('DeletionRunning', object, `${refText(refOf(object))} is being deleted`, { reason: 'Deleting' });
  // Do not suggest unblocking a Machine or infrastructure: without its finalizer, resources would be left behind.
  const isUnblockable = !isInfrastructure(object) && object.kind !== 'Machine';
  const next = isUnblockable ? [`slipway unblock ${target} --dry-run`] : [`kubectl describe ${target}`];
  return { ...found, evidence: [...found.evidence, finalizers], next };
};
