import {
  clusterOfMachinesWatch,
  isControlPlaneMachine,
  type Machine,
  machineOwnersOf,
  machineWatch,
  type ObservedCluster,
  openReconcile,
  pausedCondition,
  type Pausing,
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
  isDeleting,
  type ObjectKey,
  type Outcome,
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
import { report, reportFailure, reportRemoval } from './report.js';
import { waitForOwner } from './wait-for-owner.js';

/** The objects related to one machine that is not being deleted. */
export interface MachineScope<M extends KubeObject, C extends KubeObject = KubeObject> {
  readonly context: ReconcileContext;
  readonly infraMachine: Frozen<M>;
  readonly machine: Frozen<Machine>;
  readonly cluster: ObservedCluster;
  /** The infrastructure cluster. Undefined for kinds without a `clusterResource`. */
  readonly infraCluster: Frozen<C> | undefined;
  readonly isControlPlane: boolean;
  /** Whether the machine has been running. If it was lost since, it must not be created again: its Machine must be replaced. */
  readonly wasProvisioned: boolean;
  /**
   * Reads the object from the API server and throws if it is being deleted. Call it right before any external resource is
   * created.
   */
  confirmWanted(): Promise<void>;
}

/** The objects related to a machine that is being deleted. Its Machine and Cluster may already be deleted. */
export interface DeletingMachineScope<M extends KubeObject, C extends KubeObject = KubeObject> {
  readonly context: ReconcileContext;
  readonly infraMachine: Frozen<M>;
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
  readonly infraCluster: Frozen<C> | undefined;
}

/** The provider-specific part of the machine contract. The kit implements the rest. */
export interface InfrastructureMachineDefinition<M extends InfrastructureMachine, C extends KubeObject> {
  /** Name of the controller in logs and metrics. */
  readonly name: string;
  readonly resource: Resource<M>;
  readonly finalizer: string;
  /** The condition types. They may depend on the Machine, because a control plane machine reports more. */
  readonly conditions: ReportedTypes | ((machine: Frozen<Machine> | undefined) => ReportedTypes);
  /** The kind of infrastructure cluster that the machines require. Machines of a Cluster with another kind wait. */
  readonly clusterResource?: Resource<C>;
  /** Whether to wait for the infrastructure of the cluster. False if a machine may provide the endpoint of its cluster. */
  readonly waitsForClusterInfrastructure?: boolean;
  /** Filters changes of the owning Machine. By default all changes pass. */
  readonly machineFilter?: AnyPredicate;
  readonly watches?: readonly Watch[];
  readonly triggers?: readonly Trigger[];
  /** Returns a reason for a pause other than the Cluster and the annotation. */
  readonly pausedBy?: (infraMachine: Frozen<M>, cluster: ObservedCluster | undefined) => Pausing | undefined;
  /** Validates the object itself, before anything else is read. Returns the problem. */
  readonly validate?: (infraMachine: Frozen<M>) => { readonly reason: string; readonly message: string } | undefined;
  /** Advances the machine by one step and reports its state. Must be idempotent and safe to interrupt. */
  ensure(scope: MachineScope<M, C>): Promise<MachineProgress<M>>;
  /** Advances the deletion. Returns undefined once all resources of the machine are deleted. */
  remove(scope: DeletingMachineScope<M, C>): Promise<RemovalProgress<M> | undefined>;
  /** Returns the conditions for a failure of `ensure`. By default they are derived from a ReconcileError. */
  readonly describeFailure?: (error: unknown, wasProvisioned: boolean) => readonly ReportedCondition[] | undefined;
  readonly mirror?: (draft: Thawed<Frozen<M>>, reported: readonly ReportedCondition[], nowMs: number) => void;
}

type ReportingDefinition<M extends InfrastructureMachine, C extends KubeObject> = InfrastructureMachineDefinition<
  M,
  C
> & {
  readonly conditions: ReportedTypes;
};

/** Defines a controller for infrastructure machines: owner, pause, finalizer, prerequisites, provision, report, delete. */
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
      // Infrastructure clusters are only cached. Changes of the Cluster trigger reconciles.
      ...(clusterResource === undefined ? [] : [watch(clusterResource, { map: () => [] })]),
      ...watches,
    ],
    triggers,
    reconcile: (key, context) => reconcileInfrastructureMachine(definition, key, context),
  });
}

/** Reconciles a machine once. Exported for tests. */
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
  // A paused machine is not deleted either: a move deletes the object, while the machine keeps running for its new owner.
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
    const { wasProvisioned } = scope;
    return reportFailure(context, definition, infraMachine, error, { wasProvisioned, others: [paused] });
  }
  const { conditions, machine, apply, cause, outcome } = progress;
  const record = (draft: Thawed<Frozen<M>>): void => {
    if (machine !== undefined) recordProvisioned(draft as unknown as InfrastructureMachine, machine);
    apply?.(draft);
  };
  await report(context, definition, infraMachine, [paused, ...conditions], record, cause);
  return outcome;
}

/**
 * Records that the machine is provisioned. Later failures do not reset this: conditions report them, and health checks
 * act on them.
 */
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
  // A machine that was provisioned continues, even if its prerequisites are no longer met.
  if (wasProvisioned) return undefined;
  const missing = whatIsMissing({ machine, cluster }, { waitsForInfrastructure: waitsForClusterInfrastructure });
  if (missing !== undefined || clusterResource === undefined) return missing;
  const reason = reasons.waitingForClusterInfrastructureReady;
  const { kind = '', name = '' } = cluster.spec.infrastructureRef ?? {};
  if (kind !== clusterResource.kind)
    return {
      reason,
      message: `Cluster uses infrastructure kind ${kind}, but ${resource.kind} requires ${clusterResource.kind}`,
    };
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

/**
 * Whether the machine was provisioned, according to the infrastructure machine or the Machine. After a move only the Machine
 * shows it: its spec is kept, but the status of the infrastructure machine is lost.
 */
function isProvisioned(infraMachine: Frozen<InfrastructureMachine>, machine: Frozen<Machine>): boolean {
  return infraMachine.status?.initialization?.provisioned === true || machine.spec.providerID !== undefined;
}

function plain<T extends KubeObject>(object: Frozen<T>): Frozen<KubeObject> {
  return object;
}
