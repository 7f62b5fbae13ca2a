import { type Frozen, type KubeObject, labelSelectorFromObject } from '@slipway/kube';
import {
  controllerIndex,
  edit,
  ensureOwnerReference,
  FencedError,
  keyOf,
  ownerReference,
  type PatchChange,
  type ReconcileContext,
} from '@slipway/runtime';
import { type MachineSet, machines, machineSets } from '../api/index.js';
import type { IntentCache } from '../intents/index.js';
import type { MachineTemplates } from '../machine-templates/index.js';
import { isEmptySelector, nameOf, type ObservedMachine, orphanIndex } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { ObservedDeployment, ObservedMachineSet, RolloutStep } from './rollout-plan.js';

/** Dependencies of all reconciles of the controller. */
export interface DeploymentDependencies {
  readonly intents: IntentCache;
}

/** The state of one reconcile of a MachineDeployment. */
export interface DeploymentScope {
  readonly context: ReconcileContext;
  readonly dependencies: DeploymentDependencies;
  /** Undefined if the Cluster does not exist. */
  readonly cluster: ObservedCluster | undefined;
  /** The deployment with the changes of this reconcile, written at its end. */
  deployment: ObservedDeployment;
  machineSets: readonly ObservedMachineSet[];
  /** All machines of `machineSets`. */
  machines: readonly ObservedMachine[];
  /** Undefined if the lookup failed. In that case no MachineSet can be created. */
  templates: MachineTemplates | undefined;
  /** Name of the MachineSet with the current template. */
  newMachineSet: string | undefined;
  /** The planned step that changes the annotations of the deployment, with its reason. */
  annotated: Extract<RolloutStep, { verb: 'annotate' }> | undefined;
}

/**
 * Returns whether the deployment selects a MachineSet. An empty selector selects none, instead of every MachineSet without a
 * controller.
 */
export function selects(deployment: ObservedDeployment, set: Pick<Frozen<KubeObject>, 'metadata'>): boolean {
  const { selector } = deployment.spec;
  return !isEmptySelector(selector) && labelSelectorFromObject(selector).matches(set.metadata.labels ?? {});
}

export function recordWarning({ context, deployment }: DeploymentScope, reason: string, message: string): void {
  context.events.record(deployment, { type: 'Warning', reason, message });
}

/** Reads the MachineSets that the deployment controls, and their machines. */
export function observeSets(scope: DeploymentScope): void {
  const { deployment, context } = scope;
  useSets(scope, context.sources.sourceFor(machineSets).byIndex(controllerIndex, deployment.metadata.uid ?? ''));
}

function useSets(scope: DeploymentScope, sets: readonly ObservedMachineSet[]): void {
  const source = scope.context.sources.sourceFor(machines);
  scope.machineSets = sets;
  scope.machines = sets.flatMap(({ metadata }) => source.byIndex(controllerIndex, metadata.uid ?? ''));
}

/** Adopts matching MachineSets that have no controller. Skips those whose adoption fails. */
export async function adoptSets(scope: DeploymentScope): Promise<void> {
  const { deployment, context } = scope;
  const value = `${deployment.metadata.namespace ?? ''}/${deployment.spec.clusterName}`;
  const orphans = context.sources.sourceFor(machineSets).byIndex(orphanIndex, value);
  const adopted: ObservedMachineSet[] = [];
  for (const set of orphans) {
    if (!selects(deployment, set)) continue;
    try {
      adopted.push(await context.change(adoption(deployment, set)));
    } catch (error) {
      if (error instanceof FencedError) throw error;
      context.logger.error({ MachineSet: keyOf(set), err: error }, 'Failed to adopt MachineSet');
      recordWarning(scope, 'FailedAdopt', `Failed to adopt MachineSet "${nameOf(set)}": ${String(error)}`);
    }
  }
  if (adopted.length > 0) useSets(scope, [...scope.machineSets, ...adopted]);
}

function adoption(deployment: ObservedDeployment, set: ObservedMachineSet): PatchChange<MachineSet> {
  const reference = ownerReference(deployment, { controller: true });
  return {
    verb: 'patch',
    resource: machineSets,
    before: set,
    after: edit(set, ({ metadata }) => ensureOwnerReference(metadata, reference)),
    reason: 'Adopted',
    message: `Adopted MachineSet "${nameOf(set)}"`,
    event: { about: deployment, reason: 'SuccessfulAdopt' },
  };
}
