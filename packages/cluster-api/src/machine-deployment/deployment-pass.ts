import { type Frozen, type KubeObject, labelSelectorFromObject } from '@slipway/kube';
import type { ReconcileContext } from '@slipway/runtime';
import type { IntentCache } from '../intents/index.js';
import type { MachineTemplates } from '../machine-templates/index.js';
import { isEmptySelector, type ObservedMachine } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { ObservedDeployment, ObservedMachineSet } from './rollout-plan.js';

/** What all reconciles of the controller share. */
export interface DeploymentTools {
  readonly intents: IntentCache;
}

/** One look at a MachineDeployment: what was read, and what the phases find out on their way. */
export interface DeploymentPass {
  readonly context: ReconcileContext;
  readonly tools: DeploymentTools;
  /** Undefined when it does not exist, or no longer. */
  readonly cluster: ObservedCluster | undefined;
  /** As it will be written in the end. */
  deployment: ObservedDeployment;
  machineSets: readonly ObservedMachineSet[];
  /** All machines of these sets. */
  machines: readonly ObservedMachine[];
  /** Undefined while they could not be looked for: then no set can be made. */
  templates: MachineTemplates | undefined;
  /** Name of the set with the wanted template. */
  newMachineSet: string | undefined;
}

/** An empty selector would take every set that nobody controls: it selects none. */
export function selects(deployment: ObservedDeployment, set: Pick<Frozen<KubeObject>, 'metadata'>): boolean {
  const { selector } = deployment.spec;
  return !isEmptySelector(selector) && labelSelectorFromObject(selector).matches(set.metadata.labels ?? {});
}

export function tell(pass: DeploymentPass, type: 'Normal' | 'Warning', reason: string, message: string): void {
  pass.context.events.record(pass.deployment, { type, reason, message });
}
