import { flagAt, labels } from '@slipway/cluster-api';
import { formatTime } from '@slipway/kube';
import type { Condition } from '@slipway/runtime';
import { clusterNameOf, type ObjectRef, type ObjectSet, type Observed, referenceAt, refOf } from '../objects/index.js';
import { conditionOf, conditionsOf, verdictOf } from '../tree/index.js';
import type { CauseName } from './causes.js';
import type { Evidence, Finding } from './explanation.js';

/** The input of the rules besides the object. */
export interface View {
  readonly set: ObjectSet;
  readonly nowMs: number;
  /**
   * The Cluster of the explained object. Rules use it to ignore problems that a ClusterResourceSet reports for other Clusters.
   */
  readonly cluster?: Observed | undefined;
}

/** Detects one kind of problem with an object. */
export type Rule = (object: Observed, view: View) => Finding | undefined;

export function isDeleting(object: Observed): boolean {
  return (object.metadata.deletionTimestamp ?? '') !== '';
}

export function isTrue(object: Observed, type: string): boolean {
  return conditionOf(object, type)?.status === 'True';
}

/** Conditions that only inform, and are not a state to reach. */
const information: ReadonlySet<string> = new Set(['Paused', 'UpgradeAvailable', 'Upgradeable', 'ProviderUpgraded']);

/** Returns the conditions that are not met, in the order of status.conditions. */
export function badConditions(object: Observed): readonly Condition[] {
  return conditionsOf(object).filter(
    (condition) => verdictOf(condition) !== 'good' && !information.has(condition.type),
  );
}

export function clusterOf(object: Observed, { set }: View): Observed | undefined {
  const name = clusterNameOf(object);
  return name === undefined ? undefined : set.get(clusterRef(object.metadata.namespace ?? '', name));
}

export function clusterRef(namespace: string, name: string): ObjectRef {
  return { group: 'cluster.x-k8s.io', kind: 'Cluster', namespace, name };
}

export function follow(object: Observed | undefined, path: string, { set }: View): Observed | undefined {
  const target = object && referenceAt(object, path);
  return target && set.get(target);
}

export function isControlPlaneMachine(object: Observed): boolean {
  return Object.hasOwn(object.metadata.labels ?? {}, labels.controlPlane);
}

export function isInfrastructureProvisioned(cluster: Observed | undefined): boolean {
  return cluster !== undefined && flagAt(cluster, 'status', 'initialization', 'infrastructureProvisioned');
}

/** Returns a condition as evidence: `condition Ready is False (NotReady) since 2026-01-01T00:00:00Z: the message`. */
export function conditionFact(object: Observed, condition: Condition): Evidence {
  const { type, status, reason, message, lastTransitionTime } = condition;
  const since = lastTransitionTime === '' ? '' : ` since ${lastTransitionTime}`;
  return { object: refOf(object), fact: `condition ${type} is ${status} (${reason})${since}${after(message)}` };
}

function after(message: string): string {
  if (message === '') return '';
  return message.includes('\n') ? `:\n${message}` : `: ${message}`;
}

/** Returns the Warning Events of an object as evidence, newest first. */
export function eventFacts(object: Observed, { set }: View, max = 2): Evidence[] {
  return set
    .eventsOf(refOf(object))
    .filter(({ type }) => type === 'Warning')
    .slice(0, max)
    .map(({ reason, message, count, at }) => ({
      object: refOf(object),
      fact: `event ${reason}${count > 1 ? ` (${count} times)` : ''} at ${formatTime(at)}: ${message}`,
    }));
}

export interface FindingParts {
  readonly reason?: string;
  readonly evidence?: readonly Evidence[];
  readonly next?: readonly string[];
  /** The object at fault, if it is not the checked object. */
  readonly object?: ObjectRef;
}

export function finding(cause: CauseName, object: Observed, message: string, parts: FindingParts = {}): Finding {
  const { reason = cause, evidence = [], next = [] } = parts;
  return { cause, object: parts.object ?? refOf(object), reason, message, evidence, next };
}

/** Returns a finding with the reason and message of a condition, and the condition as evidence. */
export function conditionFinding(
  cause: CauseName,
  object: Observed,
  condition: Condition,
  view: View,
  next: readonly string[] = [],
): Finding {
  const message = condition.message === '' ? `${condition.type} is ${condition.status}` : condition.message;
  const evidence = [conditionFact(object, condition), ...eventFacts(object, view)];
  return finding(cause, object, message, { reason: condition.reason, evidence, next });
}
