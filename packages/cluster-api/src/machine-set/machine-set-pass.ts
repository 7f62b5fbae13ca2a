import { type Frozen, type KubeObject, labelSelectorFromObject } from '@slipway/kube';
import type { EventRecorder, ReconcileContext } from '@slipway/runtime';
import type { MachineDeployment } from '../api/index.js';
import type { IntentCache } from '../intents/index.js';
import type { MachineTemplates } from '../machine-templates/index.js';
import { isEmptySelector, type ObservedMachine } from '../machines/index.js';
import type { ObservedCluster } from '../reconcile/index.js';
import type { PreflightCheckName } from './preflight-checks.js';
import type { ObservedMachineSet } from './replica-plan.js';
import type { SetPace } from './set-pace.js';

/** What all reconciles of the controller share. */
export interface MachineSetTools {
  readonly intents: IntentCache;
  readonly pace: SetPace;
  /** Which checks stand before new machines; none when the feature is off. */
  readonly preflightChecks: readonly PreflightCheckName[];
}

/** Why machines could not be made, in the words of the deprecated condition. */
export interface CreationFailure {
  readonly reason:
    | 'BootstrapTemplateCloningFailed'
    | 'InfrastructureTemplateCloningFailed'
    | 'MachineCreationFailed'
    | 'PreflightCheckFailed';
  readonly message: string;
}

/** One look at a MachineSet: what was read, and what the phases find out on their way. */
export interface MachineSetPass {
  readonly context: ReconcileContext;
  readonly tools: MachineSetTools;
  /** Undefined when it does not exist, or no longer. */
  readonly cluster: ObservedCluster | undefined;
  /** The deployment that the set is part of. */
  readonly deployment: Frozen<MachineDeployment> | undefined;
  /** As it will be written in the end. */
  set: ObservedMachineSet;
  /** Those of the set as they are now, what was made and deleted on the way included. */
  machines: readonly ObservedMachine[];
  /** Undefined while they could not be looked for: then no machine can be made. */
  templates: MachineTemplates | undefined;
  /** What speaks against new machines, the check itself having failed included. */
  preflightFailures: readonly string[];
  creationFailure: CreationFailure | undefined;
}

/** Tells whether a machine is one that the set selects. */
export function selectorOf(set: ObservedMachineSet): (machine: Pick<ObservedMachine, 'metadata'>) => boolean {
  // An empty selector would take every machine that nobody controls: it selects none.
  if (isEmptySelector(set.spec.selector)) return () => false;
  const selector = labelSelectorFromObject(set.spec.selector);
  return ({ metadata }) => selector.matches(metadata.labels ?? {});
}

export function tell(
  events: EventRecorder,
  set: Frozen<KubeObject>,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  events.record(set, { type, reason, message });
}
