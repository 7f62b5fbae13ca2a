import { type ObjectSet, type Observed, refKey, refOf } from '../objects/index.js';
import { type CauseName, causes } from './causes.js';
import type { WaitState } from './cause.js';
import { isInfrastructure } from './condition-state.js';
import { dependenciesOf } from './dependencies.js';
import { attemptsOf, expectedOf } from './experience.js';
import type { Explanation, Finding, RootCause, Step, Wait } from './explanation.js';
import { anyCondition } from './rules/conditions.js';
import {
  certificates,
  connection,
  controlPlaneHealth,
  deletedKeyMaterial,
  machineComponents,
} from './rules/control-plane.js';
import { deletionRunning, foreignFinalizer, machineDeletion } from './rules/deletion.js';
import { failedCalls } from './rules/failed-calls.js';
import { infrastructure, infrastructureProblem } from './rules/infrastructure.js';
import {
  bootstrapData,
  controlPlaneCreation,
  healthCheck,
  machineCreation,
  machineHealth,
  machineNode,
  noControllerActs,
} from './rules/machines.js';
import { operators } from './rules/operators.js';
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
import { badConditions, clusterOf, isDeleting, type Rule, type View } from './view.js';

/** Rules that end the search for an object: while one of them applies, its dependencies do not matter. */
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

/** Rules that are evaluated on an unhealthy object if none of its dependencies is the cause. */
const symptoms: readonly Rule[] = [
  infrastructureProblem,
  deletionRunning,
  failedCalls,
  operators,
  clusterClass,
  topology,
  certificates,
  deletedKeyMaterial,
  bootstrapData,
  infrastructure,
  controlPlaneHealth,
  machineHealth,
  machineNode,
  machineComponents,
  connection,
  machineCreation,
  controlPlaneCreation,
  healthCheck,
  addOns,
  addresses,
  noControllerActs,
  anyCondition,
];

/** Rules for errors of the object itself. They are reported even if its dependencies are still in progress. */
const ownProblems: readonly Rule[] = [
  infrastructureProblem,
  failedCalls,
  topology,
  certificates,
  deletedKeyMaterial,
  controlPlaneCreation,
  machineCreation,
];

/** Rules for problems that the conditions of the object do not report. */
const unreported: readonly Rule[] = [deletedKeyMaterial];

/** Causes that are only consequences of the connection while the workload cluster is unreachable. */
const unreachableSymptoms: ReadonlySet<CauseName> = new Set([
  'ConditionNotMet',
  'InProgress',
  'NodeUnhealthy',
  'EtcdUnhealthy',
  'ComponentsUnhealthy',
  'WorkloadUnreachable',
  'AddOnsWaiting',
  'AddOnNotApplied',
  'NodeNotRegistered',
]);

interface Trace {
  readonly finding: Finding;
  readonly path: readonly Step[];
}

const othersMax = 10;

/** Follows the dependencies of an object to the root cause. Pure: the same objects give the same result. */
export function explain(set: ObjectSet, subject: Observed, nowMs: number): Explanation {
  return explainWithWaits(set, subject, nowMs).explanation;
}

/** Returns the explanation, and the dependencies that were followed to find it, with their states. */
export function explainWithWaits(
  set: ObjectSet,
  subject: Observed,
  nowMs: number,
): { readonly explanation: Explanation; readonly waits: readonly Wait[] } {
  const view = { set, nowMs, cluster: clusterOf(subject, { set, nowMs }) };
  const tracer = new Tracer(view);
  const traces = tracer.trace(subject);
  const [root, ...others] = distinct(traces).map((trace) => rootCause(trace, view));
  const explanation: Explanation =
    root === undefined
      ? { subject: refOf(subject), verdict: 'well', others: [] }
      : {
          subject: refOf(subject),
          verdict: root.urgency === 'wait' ? 'waiting' : 'blocked',
          root,
          others: others.slice(0, othersMax),
        };
  return { explanation, waits: tracer.waits };
}

/** Removes duplicates, and puts causes that need a user before causes that only take time. */
function distinct(traces: readonly Trace[]): readonly Trace[] {
  const seen = new Map<string, Trace>();
  for (const trace of traces) {
    const key = `${trace.finding.cause} ${refKey(trace.finding.object)}`;
    if (!seen.has(key)) seen.set(key, trace);
  }
  const rank = ({ finding }: Trace): number => (causes[finding.cause].urgency === 'act' ? 0 : 1);
  return [...seen.values()].toSorted((left, right) => rank(left) - rank(right));
}

function rootCause({ finding, path }: Trace, view: View): RootCause {
  const { urgency, state, means, remedy } = causes[finding.cause];
  // End the path at the object of the finding: a longer path would return to it.
  const end = path.findIndex(({ object }) => refKey(object) === refKey(finding.object));
  return {
    ...finding,
    urgency,
    state,
    means,
    remedy,
    path: end === -1 ? path : path.slice(0, end + 1),
    ...(state === 'failing' && attemptsOf(finding, view)),
    ...(state === 'progress' && expectedOf(finding, view)),
  };
}

const stateRank: readonly WaitState[] = ['blocked', 'failing', 'held', 'progress'];

function worstOf(traces: readonly Trace[]): WaitState | undefined {
  return stateRank.find((state) => traces.some(({ finding }) => causes[finding.cause].state === state));
}

function isAct({ finding }: Trace): boolean {
  return causes[finding.cause].urgency === 'act';
}

class Tracer {
  /** The dependencies that were followed, in this order. */
  readonly waits: Wait[] = [];
  readonly #view: View;
  readonly #known = new Map<Observed, readonly Trace[]>();

  constructor(view: View) {
    this.#view = view;
  }

  trace(object: Observed): readonly Trace[] {
    const known = this.#known.get(object);
    if (known !== undefined) return known;
    // Break dependency cycles: an object that is being traced adds no findings.
    this.#known.set(object, []);
    const found = this.#findCauses(object);
    this.#known.set(object, found);
    return found;
  }

  #findCauses(object: Observed): readonly Trace[] {
    const blocker = this.#first(blockers, object);
    if (blocker !== undefined) return [this.#here(object, blocker)];
    const below = dependenciesOf(object, this.#view).flatMap(({ object: target, relation }) => {
      const traces = this.trace(target);
      const state = worstOf(traces);
      if (state !== undefined) this.waits.push({ from: refOf(object), to: refOf(target), relation, state });
      return traces.map(({ finding, path: [, ...path] }) => ({
        finding,
        path: [{ object: refOf(object), relation: '' }, { object: refOf(target), relation }, ...path],
      }));
    });
    const disconnected = connection(object, this.#view);
    if (disconnected !== undefined && below.every(({ finding }) => unreachableSymptoms.has(finding.cause)))
      return [this.#here(object, disconnected)];
    if (below.some(isAct)) return below;
    if (below.length > 0) {
      const own = isDeleting(object) && !isInfrastructure(object) ? undefined : this.#first(ownProblems, object);
      return own === undefined || causes[own.cause].urgency === 'wait' ? below : [this.#here(object, own), ...below];
    }
    const symptom = this.#first(isHealthy(object) ? unreported : symptoms, object);
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
    if (refKey(own) !== refKey(finding.object)) path.push({ object: finding.object, relation: 'is blocked by' });
    return { finding, path };
  }
}

/** Returns whether an object is healthy. An object without a status is not healthy yet. */
function isHealthy(object: Observed): boolean {
  return !isDeleting(object) && object['status'] !== undefined && badConditions(object).length === 0;
}
