import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  type Cause,
  type ConditionTarget,
  edit,
  keyOf,
  type NewCondition,
  ownerReference,
  type PatchChange,
  ReconcileError,
  setCondition,
} from '@slipway/runtime';
import { type Machine, machines, remediationReasons } from '../api/index.js';
import { cloneTemplate } from '../contract/index.js';
import { nameOf, type ObservedMachine } from '../machines/index.js';
import { markTrue, setV1beta1Condition, type V1beta1Target } from '../toolkit/index.js';
import type { HealthCheckStep } from './health-check-planner.js';
import type { HealthCheckScope, RemediationRequests } from './health-check-scope.js';

/** The conditions that a MachineHealthCheck sets on machines, in both styles. */
const ownedConditions = [
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'ExternallyRemediated',
  'ExternalRemediationTemplateAvailable',
  'ExternalRemediationRequestAvailable',
] as const;

type Verdict = Extract<HealthCheckStep, { verb: 'patch' }>;

/**
 * Writes health conditions and requests remediation. If a request cannot be created, the failure is reported on its machine, and
 * the machines after it wait for the next reconcile.
 */
export async function carryOut(
  scope: HealthCheckScope,
  steps: readonly HealthCheckStep[],
  requests: RemediationRequests | undefined,
  machineOf: (name: string) => ObservedMachine | undefined,
): Promise<void> {
  const { context } = scope;
  let failure: Error | undefined;
  for (const step of steps) {
    const machine = machineOf(step.machine);
    if (machine === undefined) continue;
    if (step.verb === 'patch') {
      const verdict = failure === undefined ? step : withFailure(step, failure);
      await context.change(verdictChange(machine, verdict, context.clock.now()));
      if (failure !== undefined) throw failure;
    } else if (requests !== undefined) failure = await request(scope, step, requests, machine);
  }
}

async function request(
  scope: HealthCheckScope,
  step: Exclude<HealthCheckStep, Verdict>,
  requests: RemediationRequests,
  machine: ObservedMachine,
): Promise<ReconcileError | undefined> {
  const { reason, message } = step;
  if (step.verb === 'delete-request') {
    await deleteRequest(scope, requests, machine, { reason, message });
    return undefined;
  }
  try {
    await createRequest(scope, requests, machine, { reason, message });
    return undefined;
  } catch (error) {
    if (error instanceof ReconcileError) return error;
    throw error;
  }
}

/** Returns the step with the same health result, but with the reason why remediation could not be requested. */
function withFailure(step: Verdict, failure: Error): Verdict {
  const reason =
    failure instanceof ReconcileError ? failure.reason : remediationReasons.remediationRequestCreationFailed;
  const conditions = step.conditions.map(
    (condition): NewCondition =>
      condition.type === 'ExternallyRemediated' ? { ...condition, reason, message: failure.message } : condition,
  );
  return { ...step, conditions };
}

function verdictChange(machine: ObservedMachine, step: Verdict, nowMs: number): PatchChange<Machine> {
  const after = edit(machine, (draft) => {
    for (const condition of step.conditions) {
      setCondition(draft as ConditionTarget, condition, nowMs);
      setDeprecated(draft as V1beta1Target, condition, step, nowMs);
    }
  });
  const { reason, message } = step;
  return {
    verb: 'patch',
    resource: machines,
    before: machine,
    after,
    ownedConditions,
    reason,
    message: message === '' ? `The health check of Machine ${nameOf(machine)} succeeded` : message,
  };
}

function setDeprecated(target: V1beta1Target, condition: NewCondition, { deprecated }: Verdict, nowMs: number): void {
  const { type, reason, message = '' } = condition;
  if (type === 'HealthCheckSucceeded') {
    if (deprecated === undefined) markTrue(target, type, nowMs);
    else markBad(target, type, deprecated, 'Warning', nowMs);
  } else if (type === 'OwnerRemediated') markBad(target, type, { reason, message: '' }, 'Warning', nowMs);
  else if (reason === remediationReasons.remediationTemplateNotFound)
    markBad(target, 'ExternalRemediationTemplateAvailable', { reason, message }, 'Error', nowMs);
  else if (reason === remediationReasons.remediationRequestCreationFailed)
    markBad(target, 'ExternalRemediationRequestAvailable', { reason, message }, 'Error', nowMs);
}

/** Marks a deprecated condition as False. Omits an empty message, which the schema rejects. */
function markBad(
  target: V1beta1Target,
  type: string,
  { reason, message }: { readonly reason: string; readonly message: string },
  severity: 'Error' | 'Warning',
  nowMs: number,
): void {
  setV1beta1Condition(target, { type, status: 'False', severity, reason, ...(message && { message }) }, nowMs);
}

type RequestReason = 'RemediationTemplateNotFound' | 'RemediationRequestCreationFailed';

/** Requests external remediation of a machine: creates an object of the same name from the remediation template. */
async function createRequest(
  { context, healthCheck }: HealthCheckScope,
  { resource, template }: RemediationRequests,
  machine: ObservedMachine,
  cause: Cause,
): Promise<void> {
  const found = await findTemplate(context, template);
  const {
    apiVersion: _version,
    kind: _kind,
    ...clone
  } = cloneTemplate(found, {
    name: nameOf(machine),
    namespace: machine.metadata.namespace ?? '',
    clusterName: healthCheck.spec.clusterName,
    owner: ownerReference(machine),
  });
  const object = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind, ...clone };
  try {
    await context.change({ verb: 'create', resource, object: object as KubeObject, ...cause });
  } catch (error) {
    if (isReason(error, 'AlreadyExists')) return;
    const text = error instanceof Error ? error.message : String(error);
    const message = `Failed to create ${resource.kind} ${nameOf(machine)} for remediation: ${text}`;
    throw new ReconcileError<RequestReason>('RemediationRequestCreationFailed', message, { retry: 'later' });
  }
}

async function findTemplate(
  { read, signal }: HealthCheckScope['context'],
  { resource, key }: RemediationRequests['template'],
): Promise<Frozen<KubeObject>> {
  try {
    return await read.get(resource, key, { signal });
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
    throw new ReconcileError<RequestReason>(
      remediationReasons.remediationTemplateNotFound,
      `${resource.kind} ${key.namespace}/${key.name}, which spec.remediation.templateRef references, does not exist`,
      { retry: 'later', remedy: 'create it or correct the reference' },
    );
  }
}

async function deleteRequest(
  { context }: HealthCheckScope,
  { resource, source }: RemediationRequests,
  machine: ObservedMachine,
  cause: Cause,
): Promise<void> {
  const key = keyOf(machine);
  if (source.get(key) !== undefined) await context.change({ verb: 'delete', resource, key, ...cause });
}
