import { type ObjectSet, type Observed, refKey, refOf } from '../objects/index.js';
import { type CauseName, causes } from './causes.js';
import { dependenciesOf } from './dependencies.js';
import type { Explanation, Finding, RootCause, Step } from './explanation.js';
import { anyCondition } from './rules/conditions.js';
import { certificates, connection, controlPlaneHealth, machineComponents } from './rules/control-plane.js';
import { deletionRunning, foreignFinalizer, machineDeletion } from './rules/deletion.js';
import {
  bootstrapData,
  healthCheck,
  infrastructure,
  machineCreation,
  machineHealth,
  machineNode,
  nobodyActs,
} from './rules/machines.js';
import {
  externallyManaged,
  namespaceTerminating,
  pausedCluster,
  pausedObject,
  pausedRollout,
  rolloutLater,
  rolloutOnDelete,
} from './rules/pausing.js';
import { missingCluster, missingReference } from './rules/references.js';
import { addOns, addresses, clusterClass, topology } from './rules/topology.js';
import { badConditions, isDeleting, type Rule, type View } from './view.js';

/** What stops an object whatever else is the matter. */
const blockers: readonly Rule[] = [
  namespaceTerminating,
  missingCluster,
  pausedCluster,
  pausedObject,
  missingReference,
  machineDeletion,
  foreignFinalizer,
  externallyManaged,
  pausedRollout,
  rolloutOnDelete,
  rolloutLater,
];

/** What an object says itself: asked when nothing that it waits for is to blame. */
const symptoms: readonly Rule[] = [
  deletionRunning,
  clusterClass,
  topology,
  certificates,
  bootstrapData,
  infrastructure,
  controlPlaneHealth,
  machineHealth,
  machineNode,
  machineComponents,
  connection,
  machineCreation,
  healthCheck,
  addOns,
  addresses,
  nobodyActs,
  anyCondition,
];

/** What is said of a cluster that nobody can look into. */
const unseen: ReadonlySet<CauseName> = new Set([
  'ConditionNotMet',
  'InProgress',
  'NodeUnhealthy',
  'EtcdUnhealthy',
  'ComponentsUnhealthy',
  'WorkloadUnreachable',
]);

interface Trace {
  readonly finding: Finding;
  readonly path: readonly Step[];
}

const othersMax = 10;

/** Walks from an object along all that it waits for, and names what is to blame. Pure: the same objects, the same answer. */
export function explain(set: ObjectSet, subject: Observed, nowMs: number): Explanation {
  const traces = new Tracer({ set, nowMs }).trace(subject);
  const [root, ...others] = distinct(traces).map(rootCause);
  if (root === undefined) return { subject: refOf(subject), verdict: 'well', others: [] };
  return {
    subject: refOf(subject),
    verdict: root.urgency === 'wait' ? 'waiting' : 'blocked',
    root,
    others: others.slice(0, othersMax),
  };
}

/** What has to be done comes before what comes by itself: nobody who waits for both is helped by waiting. */
function distinct(traces: readonly Trace[]): readonly Trace[] {
  const seen = new Map<string, Trace>();
  for (const trace of traces) {
    const key = `${trace.finding.cause} ${refKey(trace.finding.object)}`;
    if (!seen.has(key)) seen.set(key, trace);
  }
  const rank = ({ finding }: Trace): number => (causes[finding.cause].urgency === 'act' ? 0 : 1);
  return [...seen.values()].toSorted((left, right) => rank(left) - rank(right));
}

function rootCause({ finding, path }: Trace): RootCause {
  const { urgency, means, remedy } = causes[finding.cause];
  // A way that comes back to where it has been is shorter without the turn.
  const end = path.findIndex(({ object }) => refKey(object) === refKey(finding.object));
  return { ...finding, urgency, means, remedy, path: end === -1 ? path : path.slice(0, end + 1) };
}

class Tracer {
  readonly #view: View;
  readonly #known = new Map<Observed, readonly Trace[]>();

  constructor(view: View) {
    this.#view = view;
  }

  trace(object: Observed): readonly Trace[] {
    const known = this.#known.get(object);
    if (known !== undefined) return known;
    // Whoever waits for somebody who waits for him learns nothing from him.
    this.#known.set(object, []);
    const found = this.#look(object);
    this.#known.set(object, found);
    return found;
  }

  #look(object: Observed): readonly Trace[] {
    const blocker = this.#first(blockers, object);
    if (blocker !== undefined) return [this.#here(object, blocker)];
    const below = dependenciesOf(object, this.#view).flatMap(({ object: target, relation }) =>
      this.trace(target).map(({ finding, path: [, ...path] }) => ({
        finding,
        path: [{ object: refOf(object), relation: '' }, { object: refOf(target), relation }, ...path],
      })),
    );
    const cutOff = connection(object, this.#view);
    if (cutOff !== undefined && below.every(({ finding }) => unseen.has(finding.cause)))
      return [this.#here(object, cutOff)];
    if (below.length > 0) return below;
    const symptom = isWell(object) ? undefined : this.#first(symptoms, object);
    return symptom === undefined ? [] : [this.#here(object, symptom)];
  }

  #first(rules: readonly Rule[], object: Observed): Finding | undefined {
    for (const rule of rules) {
      const finding = rule(object, this.#view);
      if (finding !== undefined) return finding;
    }
    return undefined;
  }

  #here(object: Observed, finding: Finding): Trace {
    const own = refOf(object);
    const path: Step[] = [{ object: own, relation: '' }];
    if (refKey(own) !== refKey(finding.object)) path.push({ object: finding.object, relation: 'is held by' });
    return { finding, path };
  }
}

/** Says so itself, and nobody is taking it away. What says nothing at all is not well yet. */
function isWell(object: Observed): boolean {
  return !isDeleting(object) && object['status'] !== undefined && badConditions(object).length === 0;
}
