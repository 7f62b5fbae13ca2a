import { timeOf } from '@slipway/kube';
import type { Observed } from '../objects/index.js';
import { conditionOf } from '../tree/index.js';
import type { Finding } from './explanation.js';
import { clusterOf, isControlPlaneMachine, type View } from './view.js';

/** Returns how often a failing operation was tried: the highest count of the Warning Events of the object. */
export function attemptsOf({ object }: Finding, { set }: View): { readonly attempts?: number } {
  const counts = set
    .eventsOf(object)
    .filter(({ type }) => type === 'Warning')
    .map(({ count }) => count);
  return counts.length === 0 ? {} : { attempts: Math.max(...counts) };
}

/** Returns how long the ready machines of the same cluster took from their creation, as the median. */
export function expectedOf({ object }: Finding, view: View): { readonly expectedMs?: number } {
  const subject = view.set.get(object);
  const cluster = subject && clusterOf(subject, view);
  if (subject === undefined || cluster === undefined) return {};
  const { namespace, name } = cluster.metadata;
  const took = view.set
    .ofKind('Machine')
    .filter(
      ({ metadata }) => metadata.namespace === namespace && metadata.labels?.['cluster.x-k8s.io/cluster-name'] === name,
    )
    .flatMap((machine) => durationOf(machine, isControlPlaneMachine(subject)))
    .toSorted((left, right) => left - right);
  const median = took[Math.floor(took.length / 2)];
  return median === undefined ? {} : { expectedMs: median };
}

function durationOf(machine: Observed, isControlPlane: boolean): number[] {
  const ready = conditionOf(machine, 'Ready');
  const from = timeOf(machine.metadata.creationTimestamp);
  const to = timeOf(ready?.lastTransitionTime);
  if (ready?.status !== 'True' || from === undefined || to === undefined) return [];
  return isControlPlaneMachine(machine) === isControlPlane ? [to - from] : [];
}
