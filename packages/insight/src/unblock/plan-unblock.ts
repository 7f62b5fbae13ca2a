import { textAt } from '@slipway/cluster-api';
import {
  kubectlArguments,
  type ObjectRef,
  type ObjectSet,
  type Observed,
  referencesOf,
  refKey,
  refOf,
  refText,
} from '../objects/index.js';
import { conditionOf } from '../tree/index.js';

/** A resource that would be left behind if the finalizers are removed. */
interface Leak {
  readonly object: ObjectRef;
  readonly what: string;
}

/** The finalizers to remove from a stuck object, and the resources that this leaks. */
export interface UnblockPlan {
  readonly object: ObjectRef;
  readonly deletedAt: string;
  /** The finalizers to remove. */
  readonly finalizers: readonly string[];
  /** The finalizers to keep, if only some were selected. */
  readonly kept: readonly string[];
  readonly leaks: readonly Leak[];
  /** What the controller waits for, from the Deleting condition. */
  readonly waitsFor: string | undefined;
  readonly resourceVersion: string;
}

/** The object is not stuck, or does not have the selected finalizers. */
export class NotBlocked extends Error {
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.name = 'NotBlocked';
    this.remedy = remedy;
  }
}

/** Returns what unblocking the object would do, and changes nothing. `only` selects the finalizers to remove; all if empty. */
export function planUnblock(set: ObjectSet, object: Observed, only: readonly string[] = []): UnblockPlan {
  const { deletionTimestamp, finalizers = [], resourceVersion = '' } = object.metadata;
  const target = kubectlArguments(refOf(object));
  if ((deletionTimestamp ?? '') === '')
    throw new NotBlocked(
      `${refText(refOf(object))} is not being deleted`,
      `delete it first: \`kubectl delete ${target} --wait=false\``,
    );
  if (finalizers.length === 0)
    throw new NotBlocked(
      `${refText(refOf(object))} has no finalizers: the API server is removing it`,
      'wait until it is deleted',
    );
  const unknown = only.filter((finalizer) => !finalizers.includes(finalizer));
  if (unknown.length > 0)
    throw new NotBlocked(
      `${refText(refOf(object))} has no finalizer ${unknown.join(', ')}`,
      `use one of its finalizers: ${finalizers.join(', ')}`,
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

/**
 * Returns the resources outside of the API server that the object, its dependents and the objects that it references represent.
 */
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
      ? `the network, the load balancer and other cluster infrastructure${endpointOf(object)}`
      : `the virtual machine${providerId === undefined ? ', if it was created' : ` ${providerId}`}`;
    return [{ object: ref, what }];
  }
  if (object.kind === 'Machine') {
    const volumes = volumesOf(object);
    const node = textAt(object, 'status', 'nodeRef', 'name');
    return [
      ...(node === undefined ? [] : [{ object: ref, what: `Node ${node} in the workload cluster` }]),
      ...volumes.map((volume) => ({ object: ref, what: `the attachment of volume ${volume}` })),
    ];
  }
  if (object.kind === 'IPAddressClaim') return [{ object: ref, what: 'the allocated IP address' }];
  return [];
}

function endpointOf(object: Observed): string {
  const host = textAt(object, 'spec', 'controlPlaneEndpoint', 'host');
  return host === undefined ? '' : ` at ${host}`;
}

/** Returns the attached volumes, from the message of the Deleting condition. */
function volumesOf(machine: Observed): readonly string[] {
  const deleting = conditionOf(machine, 'Deleting');
  if (deleting?.reason !== 'WaitingForVolumeDetach') return [];
  return deleting.message
    .split('\n')
    .slice(1)
    .map((line) => line.replace(/^\s*\*\s*/, ''));
}
