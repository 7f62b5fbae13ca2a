import { deepEqual, isReason } from '@slipway/kube';
import {
  createController,
  type Controller,
  done,
  edit,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Resource,
  wait,
  type Watch,
  watch,
} from '@slipway/runtime';
import { clusterOperators, clusterVersions, featureGates, infrastructures } from '../api/index.js';
import { clusterOperatorKey } from '../names.js';
import { type ActiveScope, observeScope, type Scope } from '../scope/scope.js';
import { aggregate, degradedInMs, setOpenShiftCondition, summaryTypes } from './aggregate.js';
import { conditionsOf, type ControllerName, outcomeOf, type Result, resultOf } from './result.js';

const toOperator = (): readonly ObjectKey[] => [clusterOperatorKey];

/** Watches a resource and maps every change to the only key of these controllers. */
export function concerns(resource: Resource, isAboutUs: (key: ObjectKey) => boolean = () => true): Watch {
  return watch(resource, {
    map: ({ metadata }) =>
      isAboutUs({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }) ? toOperator() : [],
  });
}

/** Watches of the objects that determine the scope. */
const scopeWatches: readonly Watch[] = [concerns(featureGates), concerns(infrastructures), concerns(clusterVersions)];

export interface ReportingController {
  readonly name: ControllerName;
  readonly version: string;
  readonly watches: readonly Watch[];
  /** Reconciles while the feature gate is enabled. Errors are reported in the conditions. */
  readonly run: (scope: ActiveScope, context: ReconcileContext) => Promise<Result>;
  /** Reconciles while the feature gate is enabled on an unsupported platform. */
  readonly runUnsupported?: (context: ReconcileContext) => Promise<void>;
}

/** Creates a controller with a single key that reports its own conditions of the ClusterOperator. */
export function createReportingController(options: ReportingController): Controller {
  return createController({
    name: options.name.toLowerCase(),
    for: clusterOperators,
    filter: ({ type, object }) => type !== 'deleted' && object.metadata.name === clusterOperatorKey.name,
    watches: [...scopeWatches, ...options.watches],
    async reconcile(key, context) {
      if (key.name !== clusterOperatorKey.name) return done();
      const scope = observeScope(context.sources, options.version);
      if (scope.type === 'unsupported') await options.runUnsupported?.(context);
      if (scope.type !== 'on') return done();
      const result = await attempt(options, scope, context);
      await report(options.name, result, context);
      return outcomeOf(result);
    },
  });
}

async function attempt(options: ReportingController, scope: ActiveScope, context: ReconcileContext): Promise<Result> {
  try {
    return await options.run(scope, context);
  } catch (error) {
    // Aborts and conflicts are not reported.
    if (context.signal.aborted || isReason(error, 'Conflict')) throw error;
    return resultOf(error);
  }
}

async function report(name: ControllerName, result: Result, context: ReconcileContext): Promise<void> {
  const operator = context.sources.sourceFor(clusterOperators).get(clusterOperatorKey);
  if (operator === undefined) return;
  const conditions = conditionsOf(name, result);
  const after = edit(operator, (draft) => {
    for (const condition of conditions) setOpenShiftCondition(draft, condition, context.clock.now());
  });
  if (deepEqual(operator.status, after.status)) return;
  const wasDegraded = isDegraded(operator, name);
  await context.change({
    verb: 'status',
    resource: clusterOperators,
    before: operator,
    after,
    ownedConditions: conditions.map(({ type }) => type),
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
  if (!wasDegraded && isDegraded(after, name))
    context.events.record(operator, {
      type: 'Warning',
      reason: 'StatusDegraded',
      action: 'Reconciling',
      message: `${name}: ${result.type === 'error' || result.type === 'invalid' ? result.error.message : ''}`,
    });
}

function isDegraded(
  operator: {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  },
  name: string,
): boolean {
  return (
    operator.status?.conditions?.some(({ type, status }) => type === `${name}Degraded` && status === 'True') === true
  );
}

/** Aggregates the conditions of the other controllers, and reports while the feature is disabled or unsupported. */
export function createClusterOperatorController(version: string): Controller {
  return createController({
    name: 'clusteroperatorcontroller',
    for: clusterOperators,
    filter: ({ type, object }) => type !== 'deleted' && object.metadata.name === clusterOperatorKey.name,
    watches: scopeWatches,
    async reconcile(key, context): Promise<Outcome> {
      const { sources, clock } = context;
      const operator = sources.sourceFor(clusterOperators).get(key);
      // The cluster version operator creates the ClusterOperator. It is not created here.
      if (operator === undefined || key.name !== clusterOperatorKey.name) return done();
      const scope: Scope = observeScope(sources, version);
      const after = aggregate(operator, scope, clock.now());
      if (!deepEqual(operator.status, after.status))
        await context.change({
          verb: 'status',
          resource: clusterOperators,
          before: operator,
          after,
          ownedConditions: summaryTypes,
          reason: 'StatusUpdated',
          message: 'Updated status',
        });
      const ms = degradedInMs(after, clock.now());
      return ms === undefined
        ? done()
        : wait({ ms, reason: 'EphemeralError', message: 'Waiting to see whether the error persists' });
    },
  });
}
