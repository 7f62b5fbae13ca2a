import { deletionHookPrefixes } from '@slipway/cluster-api';
import { controlPlaneAnnotations } from '@slipway/kubeadm';
import { kubectlWords, type Observed, refOf, refText } from '../../objects/index.js';
import { conditionOf } from '../../tree/index.js';
import type { Finding } from '../explanation.js';
import { conditionFact, conditionFinding, finding, isDeleting, type Rule } from '../view.js';

/** Kubernetes' own: the garbage collector takes them away. */
const systemFinalizers = new Set(['foregroundDeletion', 'orphan', 'kubernetes']);

/** Those that no provider of Cluster API put there. */
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
    const words = kubectlWords(refOf(object));
    return conditionFinding('DrainBlocked', object, condition, view, [
      `kubectl annotate ${words} machine.cluster.x-k8s.io/exclude-node-draining=`,
    ]);
  },
  WaitingForVolumeDetach: (object, view) => {
    const condition = conditionOf(object, 'Deleting');
    if (condition === undefined) return undefined;
    const words = kubectlWords(refOf(object));
    return conditionFinding('VolumesAttached', object, condition, view, [
      `kubectl annotate ${words} machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach=`,
    ]);
  },
};

/** The stage at which the deletion of a Machine waits for somebody. */
export const machineDeletion: Rule = (object, view) => {
  if (object.kind !== 'Machine' || !isDeleting(object)) return undefined;
  const stage = conditionOf(object, 'Deleting')?.reason ?? '';
  return machineStages[stage]?.(object, view);
};

function hookFinding(object: Observed, prefix: string): Finding | undefined {
  // The control plane's own hook goes when the control plane says so.
  const hooks = deletionHooks(object).filter(
    (name) => name.startsWith(prefix) && name !== controlPlaneAnnotations.preTerminateCleanup,
  );
  if (hooks.length === 0) return undefined;
  const condition = conditionOf(object, 'Deleting');
  return finding('DeletionHook', object, `the deletion of ${refText(refOf(object))} waits for ${hooks.join(', ')}`, {
    reason: condition?.reason ?? 'DeletionHook',
    evidence: [
      ...hooks.map((name) => ({
        object: refOf(object),
        fact: `it has the annotation ${name}: ${JSON.stringify(object.metadata.annotations?.[name] ?? '')}`,
      })),
      ...(condition === undefined ? [] : [conditionFact(object, condition)]),
    ],
    next: hooks.map((name) => `kubectl annotate ${kubectlWords(refOf(object))} ${name}-`),
  });
}

/** A finalizer of a stranger. Those of Cluster API go by themselves when what they wait for is gone. */
export const foreignFinalizer: Rule = (object) => {
  if (!isDeleting(object)) return undefined;
  const foreign = foreignFinalizers(object);
  const own = (object.metadata.finalizers ?? []).length - foreign.length;
  if (foreign.length === 0 || own > 0) return undefined;
  return finding(
    'ForeignFinalizer',
    object,
    `${refText(refOf(object))} is held by the finalizer ${foreign.join(', ')}`,
    {
      evidence: [
        { object: refOf(object), fact: `metadata.deletionTimestamp is ${object.metadata.deletionTimestamp ?? ''}` },
        { object: refOf(object), fact: `metadata.finalizers has ${foreign.join(', ')}` },
      ],
      next: [`slipway unblock ${kubectlWords(refOf(object))} --dry-run`],
    },
  );
};

/** Nothing else was found: its controller is at it, or is not there. */
export const deletionRunning: Rule = (object, view) => {
  if (!isDeleting(object)) return undefined;
  const condition = conditionOf(object, 'Deleting');
  const words = kubectlWords(refOf(object));
  const finalizers = {
    object: refOf(object),
    fact: `metadata.finalizers has ${(object.metadata.finalizers ?? []).join(', ')}`,
  };
  if (condition?.status === 'True' && condition.reason === 'WaitingForBeforeDeleteHook')
    return conditionFinding('LifecycleHookBlocks', object, condition, view, [`kubectl get ${words} -o yaml`]);
  const found =
    condition?.status === 'True'
      ? conditionFinding('DeletionRunning', object, condition, view)
      : finding('DeletionRunning', object, `${refText(refOf(object))} is being deleted`, { reason: 'Deleting' });
  return { ...found, evidence: [...found.evidence, finalizers], next: [`slipway unblock ${words} --dry-run`] };
};
