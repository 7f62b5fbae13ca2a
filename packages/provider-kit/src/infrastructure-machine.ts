import {
  clusterOfMachinesWatch,
  isControlPlaneMachine,
  type Machine,
  machineOwnersOf,
  machineWatch,
  type ObservedCluster,
  reasons,
  whatIsMissing,
} from '@slipway/cluster-api';
import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import {
  type AnyPredicate,
  confirmWanted,
  type Controller,
  type ControllerContext,
  createController,
  done,
  FencedError,
  isDeleting,
  type ObjectKey,
  openReconcile,
  type Outcome,
  type Pausing,
  pausedCondition,
  type ReconcileContext,
  releaseFinalizer,
  type Resource,
  type Trigger,
  wait,
  type Watch,
  watch,
} from '@slipway/runtime';
import type {
  InfrastructureMachine,
  MachineProgress,
  RemovalProgress,
  ReportedCondition,
  ReportedTypes,
} from './contract.js';
import { failureConditions, report, reportRemoval } from './report.js';
import { waitForOwner } from './wait-for-owner.js';

/** The objects around one machine that is wanted. */
export interface MachineScope<M extends KubeObject, C extends KubeObject = KubeObject> {
  readonly context: ReconcileContext;
  readonly infraMachine: Frozen<M>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  /** The infrastructure cluster; undefined for kinds that name no `clusterResource`. */
  readonly infraCluster: Frozen<C> | undefined;
  readonly isControlPlane: boolean;
  /** True once the machine ran. One that is lost since must not be created again: the Machine is to be replaced. */
  readonly wasProvisioned: boolean;
  /** Asks the API server whether the object is still wanted; call it right before anything is created for it. */
  confirmWanted(): Promise<void>;
}

/** A machine that is being deleted may outlive its Machine and its Cluster. */
export interface DeletingMachineScope<M extends KubeObject, C extends KubeObject = KubeObject> {
  readonly context: ReconcileContext;
  readonly infraMachine: Frozen<M>;
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
  readonly infraCluster: Frozen<C> | undefined;
}

/** What a provider supplies for its machines; the kit does the rest of the contract. */
export interface InfrastructureMachineDefinition<M extends InfrastructureMachine, C extends KubeObject> {
  /** Names the controller in logs and metrics. */
  readonly name: string;
  readonly resource: Resource<M>;
  readonly finalizer: string;
  /** May depend on the Machine: a control-plane machine has more to report. */
  readonly conditions: ReportedTypes | ((machine: Frozen<Machine> | undefined) => ReportedTypes);
  /** The kind of infrastructure cluster that the machines need. Machines of a Cluster with another kind wait. */
  readonly clusterResource?: Resource<C>;
  /** False where the endpoint of a cluster may come from its machines, so that they cannot wait for it. */
  readonly waitsForClusterInfrastructure?: boolean;
  /** Which changes of the owning Machine matter; all by default. */
  readonly machineFilter?: AnyPredicate;
  readonly watches?: readonly Watch[];
  readonly triggers?: readonly Trigger[];
  /** A cause of a pause beside the Cluster and the annotation. */
  readonly pausedBy?: (infraMachine: Frozen<M>, cluster: ObservedCluster | undefined) => Pausing | undefined;
  /** What is wrong with the object itself, before anything else is looked at. */
  readonly validate?: (infraMachine: Frozen<M>) => { readonly reason: string; readonly message: string } | undefined;
  /** Brings the machine one step on and reports how far it is. Repeatable at any instant, by any process. */
  ensure(scope: MachineScope<M, C>): Promise<MachineProgress<M>>;
  /** Undefined once nothing of the machine is left. */
  remove(scope: DeletingMachineScope<M, C>): Promise<RemovalProgress<M> | undefined>;
  /** Conditions for a failure of `ensure`; by default those of a ReconcileError. */
  readonly describeFailure?: (error: unknown, wasProvisioned: boolean) => readonly ReportedCondition[] | undefined;
  readonly mirror?: (draft: Thawed<Frozen<M>>, reported: readonly ReportedCondition[], nowMs: number) => void;
}

type ReportingDefinition<M extends InfrastructureMachine, C extends KubeObject> = InfrastructureMachineDefinition<
  M,
  C
> & {
  readonly conditions: ReportedTypes;
};

/** A controller for infrastructure machines: owner, pause, finalizer, prerequisites, provision, report, delete. */
export function defineInfrastructureMachine<M extends InfrastructureMachine, C extends KubeObject = KubeObject>(
  definition: InfrastructureMachineDefinition<M, C>,
  { sources, concurrency, watchFilter }: Pick<ControllerContext, 'sources' | 'concurrency' | 'watchFilter'>,
): Controller {
  const { name, resource, clusterResource, machineFilter, watches = [], triggers = [] } = definition;
  return createController({
    name,
    for: resource,
    concurrency,
    filter: watchFilter,
    watches: [
      machineWatch(resource, machineFilter),
      clusterOfMachinesWatch(sources, resource),
      // Kept in the cache; the Cluster's own events tell when it changed.
      ...(clusterResource === undefined ? [] : [watch(clusterResource, { map: () => [] })]),
      ...watches,
    ],
    triggers,
    reconcile: (key, context) => reconcileInfrastructureMachine(definition, key, context),
  });
}

/** One reconcile of a machine, for tests that need it alone. */
export async function reconcileInfrastructureMachine<M extends InfrastructureMachine, C extends KubeObject>(
  given: InfrastructureMachineDefinition<M, C>,
  key: ObjectKey,
  context: ReconcileContext,
): Promise<Outcome> {
  const { resource, finalizer, pausedBy } = given;
  const infraMachine = context.sources.sourceFor(resource).get(key);
  if (infraMachine === undefined) return done();
  const owners = machineOwnersOf(context.sources, plain(infraMachine));
  const { machine, cluster } = owners;
  const conditions = typeof given.conditions === 'function' ? given.conditions(machine) : given.conditions;
  const definition: ReportingDefinition<M, C> = { ...given, conditions };
  const deleting = isDeleting(plain(infraMachine));
  if (!deleting && (machine === undefined || cluster === undefined))
    return waitForOwner(context, definition, infraMachine, 'Machine');
  const pausing = pausedBy?.(infraMachine, cluster) ?? cluster;
  // Paused, it is not removed either: a move deletes the objects, and the machine runs on for their new owner.
  const opening = { finalizer, cluster: pausing, reportsPaused: true };
  if (!(await openReconcile(context, resource, infraMachine, opening))) return done();
  const infraCluster = infrastructureClusterOf(definition, context, cluster);
  if (deleting || machine === undefined || cluster === undefined)
    return removeMachine(definition, { context, infraMachine, machine, cluster, infraCluster });
  const wasProvisioned = isProvisioned(infraMachine, machine);
  return provisionMachine(
    definition,
    {
      context,
      infraMachine,
      machine,
      cluster,
      infraCluster,
      isControlPlane: isControlPlaneMachine(machine),
      wasProvisioned,
      confirmWanted: () => confirmWanted(context, resource, infraMachine),
    },
    pausing,
  );
}

async function provisionMachine<M extends InfrastructureMachine, C extends KubeObject>(
  definition: ReportingDefinition<M, C>,
  scope: MachineScope<M, C>,
  pausing: Pausing | undefined,
): Promise<Outcome> {
  const { context, infraMachine } = scope;
  const paused = pausedCondition(plain(infraMachine), pausing);
  const missing = missingFor(definition, scope);
  if (missing !== undefined) {
    const condition = { type: definition.conditions.provisioned, status: 'False', ...missing } as const;
    await report(context, definition, infraMachine, [paused, condition], () => undefined);
    return wait(missing);
  }
  let progress: MachineProgress<M>;
  try {
    progress = await definition.ensure(scope);
  } catch (error) {
    // Another process acts now, and reports.
    if (error instanceof FencedError) throw error;
    const describe =
      definition.describeFailure ?? ((cause, was) => failureConditions(cause, definition.conditions, was));
    const conditions = describe(error, scope.wasProvisioned);
    if (conditions !== undefined)
      await report(context, definition, infraMachine, [paused, ...conditions], () => undefined);
    throw error;
  }
  const { conditions, machine, apply, cause, outcome } = progress;
  const record = (draft: Thawed<Frozen<M>>): void => {
    if (machine !== undefined) recordProvisioned(draft as unknown as InfrastructureMachine, machine);
    apply?.(draft);
  };
  await report(context, definition, infraMachine, [paused, ...conditions], record, cause);
  return outcome;
}

/** Once provisioned, a machine stays so: conditions say what becomes of it later, and health checks act on them. */
function recordProvisioned(
  draft: InfrastructureMachine,
  { providerID, addresses, failureDomain }: NonNullable<MachineProgress<InfrastructureMachine>['machine']>,
): void {
  draft.spec ??= {};
  draft.spec.providerID = providerID;
  draft.status ??= {};
  draft.status.initialization = { provisioned: true };
  if (addresses.length > 0) draft.status.addresses = addresses.map((address) => ({ ...address }));
  if (failureDomain !== undefined) draft.status.failureDomain = failureDomain;
}

async function removeMachine<M extends InfrastructureMachine, C extends KubeObject>(
  definition: ReportingDefinition<M, C>,
  scope: DeletingMachineScope<M, C>,
): Promise<Outcome> {
  const { context, infraMachine } = scope;
  const left = await definition.remove(scope);
  if (left !== undefined) {
    await reportRemoval(context, definition, infraMachine, left);
    return left.outcome;
  }
  await releaseFinalizer(context, definition.resource, infraMachine, definition.finalizer);
  return done();
}

function missingFor<M extends InfrastructureMachine, C extends KubeObject>(
  { validate, clusterResource, waitsForClusterInfrastructure = true, resource }: InfrastructureMachineDefinition<M, C>,
  { infraMachine, machine, cluster, infraCluster, wasProvisioned }: MachineScope<M, C>,
): { readonly reason: string; readonly message: string } | undefined {
  const invalid = validate?.(infraMachine);
  if (invalid !== undefined) return invalid;
  // A machine that runs continues whatever becomes of what it once waited for.
  if (wasProvisioned) return undefined;
  const missing = whatIsMissing({ machine, cluster }, { waitsForInfrastructure: waitsForClusterInfrastructure });
  if (missing !== undefined || clusterResource === undefined) return missing;
  const reason = reasons.waitingForClusterInfrastructureReady;
  const { kind = '', name = '' } = cluster.spec.infrastructureRef ?? {};
  if (kind !== clusterResource.kind)
    return { reason, message: `The Cluster uses ${kind}; a ${resource.kind} needs a ${clusterResource.kind}` };
  if (infraCluster === undefined || isDeleting(plain(infraCluster)))
    return { reason, message: `${kind} ${name} does not exist or is being deleted` };
  return undefined;
}

function infrastructureClusterOf<M extends InfrastructureMachine, C extends KubeObject>(
  { clusterResource }: InfrastructureMachineDefinition<M, C>,
  { sources }: ReconcileContext,
  cluster: ObservedCluster | undefined,
): Frozen<C> | undefined {
  const { kind = '', name = '' } = cluster?.spec.infrastructureRef ?? {};
  if (clusterResource === undefined || kind !== clusterResource.kind) return undefined;
  return sources.sourceFor(clusterResource).get({ namespace: cluster?.metadata.namespace ?? '', name });
}

/** The Machine records it too: its spec survives a move, the status of the infrastructure machine does not. */
function isProvisioned(infraMachine: Frozen<InfrastructureMachine>, machine: Frozen<Machine>): boolean {
  return infraMachine.status?.initialization?.provisioned === true || machine.spec.providerID !== undefined;
}

function plain<T extends KubeObject>(object: Frozen<T>): Frozen<KubeObject> {
  return object;
}
