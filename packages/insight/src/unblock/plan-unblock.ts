import { textAt } from '@slipway/cluster-api';
import {
  kubectlWords,
  type ObjectRef,
  type ObjectSet,
  type Observed,
  referencesOf,
  refKey,
  refOf,
  refText,
} from '../objects/index.js';
import { conditionOf } from '../tree/index.js';

/** What would be left behind, with nobody to clean it up. */
export interface Leak {
  readonly object: ObjectRef;
  readonly what: string;
}

/** How an object that does not go is let go, and at which price. */
export interface UnblockPlan {
  readonly object: ObjectRef;
  readonly deletedAt: string;
  /** Those that would be taken off. */
  readonly finalizers: readonly string[];
  /** Those that stay, because only some were to be taken off. */
  readonly kept: readonly string[];
  readonly leaks: readonly Leak[];
  /** What its controller says that it waits for. */
  readonly waitsFor: string | undefined;
  readonly resourceVersion: string;
}

/** It is not stuck, or not in the way that was said. */
export class NotBlocked extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'NotBlocked';
    this.remedy = remedy;
  }
}

/** `only` names the finalizers to take off; all when absent. Pure: nothing is changed. */
export function planUnblock(set: ObjectSet, object: Observed, only: readonly string[] = []): UnblockPlan {
  const { deletionTimestamp, finalizers = [], resourceVersion = '' } = object.metadata;
  const words = kubectlWords(refOf(object));
  if ((deletionTimestamp ?? '') === '')
    throw new NotBlocked(
      `${refText(refOf(object))} is not being deleted`,
      `delete it first: \`kubectl delete ${words} --wait=false\``,
    );
  if (finalizers.length === 0)
    throw new NotBlocked(`${refText(refOf(object))} has no finalizers: the server removes it`, 'wait a moment');
  const unknown = only.filter((finalizer) => !finalizers.includes(finalizer));
  if (unknown.length > 0)
    throw new NotBlocked(
      `${refText(refOf(object))} has no finalizer ${unknown.join(', ')}`,
      `it has ${finalizers.join(', ')}`,
    );
  const removed = only.length === 0 ? finalizers : only;
  const deleting = conditionOf(object, 'Deleting');
  return {
    object: refOf(object),
    deletedAt: deletionTimestamp ?? '',
    finalizers: removed,
    kept: finalizers.filter((finalizer) => !removed.includes(finalizer)),
    leaks: leaksOf(set, object),
    waitsFor: deleting?.status === 'True' ? deleting.message || deleting.reason : undefined,
    resourceVersion,
  };
}

/** The object itself, what it owns and what it refers to: whatever of that stands for something outside of the server. */
function leaksOf(set: ObjectSet, object: Observed): readonly Leak[] {
  const seen = new Map<string, Observed>();
  const visit = (one: Observed): void => {
    const key = refKey(refOf(one));
    if (seen.has(key)) return;
    seen.set(key, one);
    for (const child of set.ownedBy(one)) visit(child);
    for (const { target, field } of referencesOf(one)) {
      const below = field.to.endsWith('Infrastructure') || field.to === 'ControlPlane' ? set.get(target) : undefined;
      if (below !== undefined) visit(below);
    }
  };
  visit(object);
  return [...seen.values()].flatMap(leakOf);
}

function leakOf(object: Observed): Leak[] {
  const ref = refOf(object);
  if (object.kind.endsWith('Template')) return [];
  const providerId = textAt(object, 'spec', 'providerID') ?? textAt(object, 'status', 'providerID');
  if (ref.group.startsWith('infrastructure.')) {
    const what = object.kind.endsWith('Cluster')
      ? `the network, load balancer and whatever else was made for it${endpointOf(object)}`
      : `the virtual machine${providerId === undefined ? ', if one was made' : ` ${providerId}`}`;
    return [{ object: ref, what }];
  }
  if (object.kind === 'Machine') {
    const volumes = volumesOf(object);
    const node = textAt(object, 'status', 'nodeRef', 'name');
    return [
      ...(node === undefined ? [] : [{ object: ref, what: `the Node ${node} in the workload cluster` }]),
      ...volumes.map((volume) => ({ object: ref, what: `the attachment of volume ${volume}` })),
    ];
  }
  if (object.kind === 'IPAddressClaim') return [{ object: ref, what: 'the address that it holds' }];
  return [];
}

function endpointOf(object: Observed): string {
  const host = textAt(object, 'spec', 'controlPlaneEndpoint', 'host');
  return host === undefined ? '' : ` at ${host}`;
}

/** As the Machine says them while it waits for them to be detached. */
function volumesOf(machine: Observed): readonly string[] {
  const deleting = conditionOf(machine, 'Deleting');
  if (deleting?.reason !== 'WaitingForVolumeDetach') return [];
  return deleting.message
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^\s*\*\s*/, ''));
}
