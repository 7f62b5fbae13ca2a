import { labelSelectorFromObject } from '@slipway/kube';
import { getCondition, type NewCondition } from '@slipway/runtime';
import { annotations, labels, remediationReasons } from '../api/index.js';
import { compareNames, hasAnnotation, isDeleting, nameOf, type ObservedMachine } from '../machines/index.js';
import {
  evaluateTarget,
  type HealthContext,
  type HealthTarget,
  type ObservedHealthCheck,
  remediationLimit,
  type TargetHealth,
} from './target-health.js';

/** One step of a health check. */
export type HealthCheckStep =
  /** Sets conditions on a Machine. `deprecated` is the v1beta1 form of a failed check. */
  | {
      readonly verb: 'patch';
      readonly machine: string;
      readonly conditions: readonly NewCondition[];
      readonly deprecated?: { readonly reason: string; readonly message: string };
      readonly reason: string;
      readonly message: string;
    }
  /** Creates an external remediation request: an object of the remediation template's kind, named like the Machine. */
  | {
      readonly verb: 'create-request';
      readonly machine: string;
      /** Kind of the request: the kind of the template without the suffix `Template`. */
      readonly kind: string;
      readonly reason: string;
      readonly message: string;
    }
  | {
      readonly verb: 'delete-request';
      readonly machine: string;
      readonly kind: string;
      readonly reason: 'HealthyAgain';
      readonly message: string;
    };

export interface HealthCheckEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: 'RemediationRestricted' | 'MachineMarkedUnhealthy' | 'DetectedUnhealthy';
  /** Name of the Machine that the event is recorded on. Without it, the event is recorded on the MachineHealthCheck. */
  readonly machine?: string;
  readonly message: string;
}

export interface HealthCheckPlan {
  readonly status: {
    readonly expectedMachines: number;
    readonly currentHealthy: number;
    readonly remediationsAllowed: number;
    readonly targets: readonly string[];
  };
  /** The `RemediationAllowed` condition. */
  readonly condition: NewCondition;
  readonly steps: readonly HealthCheckStep[];
  readonly events: readonly HealthCheckEvent[];
  readonly requeueAfterMs: number | undefined;
}

/**
 * Returns whether the health check targets a machine: selected by labels, in the same cluster, and not excluded by annotation.
 */
export function isTarget(healthCheck: ObservedHealthCheck, machine: ObservedMachine): boolean {
  const own = machine.metadata.labels ?? {};
  return (
    own[labels.clusterName] === healthCheck.spec.clusterName &&
    labelSelectorFromObject(healthCheck.spec.selector).matches(own) &&
    !hasAnnotation(machine, annotations.paused) &&
    !hasAnnotation(machine, annotations.skipRemediation)
  );
}

export interface HealthCheckInput extends HealthContext {
  readonly targets: readonly HealthTarget[];
  /** Names of the machines for which an external remediation request exists. Empty without a remediation template. */
  readonly requests: ReadonlySet<string>;
}

interface Evaluated {
  readonly machine: ObservedMachine;
  readonly nodeName: string;
  readonly health: TargetHealth;
}

/** Plans the conditions of each target, and the machines to request remediation for. */
export function planHealthCheck(input: HealthCheckInput): HealthCheckPlan {
  const evaluated = input.targets
    .map(
      (target): Evaluated => ({
        machine: target.machine,
        nodeName: typeof target.node === 'object' ? (target.node.metadata.name ?? '') : '',
        health: evaluateTarget(target, input),
      }),
    )
    .sort((left, right) => compareNames(left.machine, right.machine));
  const healthy = evaluated.filter(({ health }) => health.state === 'healthy').length;
  const unhealthy = evaluated.filter(({ health }) => health.state === 'unhealthy').length;
  const limit = remediationLimit(input.healthCheck, { expected: evaluated.length, healthy, unhealthy });
  const restricted = !limit.allowed && unhealthy > 0;
  const marked = limit.allowed ? remediations(evaluated, input) : verdicts(evaluated, 'unhealthy');
  return {
    status: {
      expectedMachines: evaluated.length,
      currentHealthy: healthy,
      remediationsAllowed: limit.remediationsAllowed,
      targets: evaluated.map(({ machine }) => nameOf(machine)),
    },
    condition: allowedCondition(limit.allowed, limit.message),
    steps: [...healthySteps(evaluated, input), ...marked],
    events: [
      ...evaluated.flatMap(likelyUnhealthyEvent),
      ...(restricted ? [restrictedEvent(limit.message)] : marked.flatMap(markedEvent)),
    ],
    // If remediation is not allowed, the passage of time cannot change that. Events of Machines trigger the next reconcile.
    requeueAfterMs: limit.allowed ? nextCheckMs(evaluated) : undefined,
  };
}

function allowedCondition(allowed: boolean, message: string): NewCondition {
  const type = 'RemediationAllowed';
  if (allowed) return { type, status: 'True', reason: 'RemediationAllowed' };
  return { type, status: 'False', reason: remediationReasons.tooManyUnhealthy, message };
}

function nextCheckMs(evaluated: readonly Evaluated[]): number | undefined {
  const times = evaluated.flatMap(({ health }) => (health.state === 'pending' ? [health.nextCheckMs] : []));
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Returns the steps that report health, without requesting remediation. */
function verdicts(evaluated: readonly Evaluated[], state: 'healthy' | 'unhealthy'): HealthCheckStep[] {
  return evaluated.flatMap(({ machine, health }) =>
    health.state === state ? [verdictPatch(machine, health, [])] : [],
  );
}

function verdictPatch(
  machine: ObservedMachine,
  health: TargetHealth & { readonly condition: NewCondition },
  more: readonly NewCondition[],
): HealthCheckStep {
  const { condition } = health;
  return {
    verb: 'patch',
    machine: nameOf(machine),
    conditions: [condition, ...more],
    ...('deprecated' in health ? { deprecated: health.deprecated } : {}),
    reason: condition.reason,
    message: condition.message ?? '',
  };
}

function healthySteps(evaluated: readonly Evaluated[], input: HealthCheckInput): HealthCheckStep[] {
  const kind = requestKind(input.healthCheck);
  if (kind === undefined) return verdicts(evaluated, 'healthy');
  // With external remediation, a healthy machine needs a step only while a request for it exists.
  const requested = evaluated.filter(({ machine }) => input.requests.has(nameOf(machine)));
  return requested.flatMap(({ machine, health }): HealthCheckStep[] =>
    health.state !== 'healthy'
      ? []
      : [
          {
            verb: 'delete-request',
            machine: nameOf(machine),
            kind,
            reason: 'HealthyAgain',
            message: 'the machine is healthy again',
          },
          verdictPatch(machine, health, []),
        ],
  );
}

function requestKind(healthCheck: ObservedHealthCheck): string | undefined {
  return healthCheck.spec.remediation?.templateRef?.kind.replace(/Template$/, '');
}

function remediations(evaluated: readonly Evaluated[], input: HealthCheckInput): HealthCheckStep[] {
  const kind = requestKind(input.healthCheck);
  const steps: HealthCheckStep[] = [];
  for (const { machine, health } of evaluated) {
    if (health.state !== 'unhealthy') continue;
    if (kind === undefined) {
      steps.push(verdictPatch(machine, health, ownerRemediated(machine)));
      continue;
    }
    // One request at a time: machines after this one wait until it is done.
    if (input.requests.has(nameOf(machine))) return steps;
    steps.push(createRequest(machine, kind), verdictPatch(machine, health, [waiting('ExternallyRemediated')]));
  }
  return steps;
}

function createRequest(machine: ObservedMachine, kind: string): HealthCheckStep {
  const message = `${kind} ${nameOf(machine)} requests the remediation of the Machine`;
  const reason = remediationReasons.waitingForRemediation;
  return { verb: 'create-request', machine: nameOf(machine), kind, reason, message };
}

function waiting(type: string): NewCondition {
  const reason = remediationReasons.waitingForRemediation;
  return { type, status: 'False', reason, message: 'Waiting for remediation' };
}

/** Returns the OwnerRemediated condition if it is not set yet. Afterwards the owner reports its progress in it. */
function ownerRemediated(machine: ObservedMachine): NewCondition[] {
  const current = getCondition(machine, 'OwnerRemediated');
  if (isDeleting(machine) || (current !== undefined && current.status !== 'True')) return [];
  return [waiting('OwnerRemediated')];
}

function markedEvent(step: HealthCheckStep): HealthCheckEvent[] {
  if (step.verb !== 'patch' || step.conditions.length < 2) return [];
  const message = `Machine ${step.machine} has been marked as unhealthy: ${step.message}`;
  return [{ type: 'Normal', reason: 'MachineMarkedUnhealthy', machine: step.machine, message }];
}

function likelyUnhealthyEvent({ machine, nodeName, health }: Evaluated): HealthCheckEvent[] {
  if (health.state !== 'pending') return [];
  const name = nameOf(machine);
  const message = `Machine ${machine.metadata.namespace ?? ''}/${name} has unhealthy Node ${nodeName}`;
  return [{ type: 'Normal', reason: 'DetectedUnhealthy', machine: name, message }];
}

function restrictedEvent(message: string): HealthCheckEvent {
  return { type: 'Warning', reason: 'RemediationRestricted', message };
}
