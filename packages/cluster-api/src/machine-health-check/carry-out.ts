import {
  type ConditionTarget,
  edit,
  markTrue,
  type NewCondition,
  patchObject,
  ReconcileError,
  setCondition,
  setV1beta1Condition,
  type V1beta1Target,
} from '@slipway/runtime';
import { machines, remediationReasons } from '../api/index.js';
import type { ObservedMachine } from '../machines/index.js';
import type { HealthCheckChange } from './health-check-plan.js';
import type { HealthCheckPass, RemediationRequests } from './health-check-pass.js';
import { createRequest, deleteRequest } from './remediation-requests.js';

/** What a health check writes on machines, in both styles. */
const ownedConditions = [
  'HealthCheckSucceeded',
  'OwnerRemediated',
  'ExternallyRemediated',
  'ExternalRemediationTemplateAvailable',
  'ExternalRemediationRequestAvailable',
] as const;

type Patch = Extract<HealthCheckChange, { verb: 'patch' }>;

/**
 * Writes the verdicts and asks for remediation. A request that cannot be made is told on its machine; the machines after it
 * wait for the next look.
 */
export async function carryOut(
  pass: HealthCheckPass,
  changes: readonly HealthCheckChange[],
  requests: RemediationRequests | undefined,
  machineOf: (name: string) => ObservedMachine | undefined,
): Promise<void> {
  let failure: Error | undefined;
  for (const change of changes) {
    const machine = machineOf(change.machine);
    if (machine === undefined) continue;
    if (change.verb === 'patch') {
      await patchMachine(pass, machine, failure === undefined ? change : told(change, failure));
      if (failure !== undefined) throw failure;
    } else if (requests !== undefined) failure = await request(pass, change, requests, machine);
  }
}

async function request(
  pass: HealthCheckPass,
  change: Exclude<HealthCheckChange, Patch>,
  requests: RemediationRequests,
  machine: ObservedMachine,
): Promise<ReconcileError | undefined> {
  if (change.verb === 'delete-request') {
    await deleteRequest(pass, requests, machine);
    return undefined;
  }
  try {
    await createRequest(pass, requests, machine);
    return undefined;
  } catch (error) {
    if (error instanceof ReconcileError) return error;
    throw error;
  }
}

/** The verdict stands; instead of waiting for remediation the machine says why it was not asked for. */
function told(change: Patch, failure: Error): Patch {
  const reason =
    failure instanceof ReconcileError ? failure.reason : remediationReasons.remediationRequestCreationFailed;
  const conditions = change.conditions.map(
    (condition): NewCondition =>
      condition.type === 'ExternallyRemediated' ? { ...condition, reason, message: failure.message } : condition,
  );
  return { ...change, conditions };
}

async function patchMachine({ context }: HealthCheckPass, machine: ObservedMachine, change: Patch): Promise<void> {
  const { client, clock, signal } = context;
  const nowMs = clock.now();
  const after = edit(machine, (draft) => {
    for (const condition of change.conditions) {
      setCondition(draft as ConditionTarget, condition, nowMs);
      setDeprecated(draft as V1beta1Target, condition, change, nowMs);
    }
  });
  await patchObject(client, machines, machine, after, { ownedConditions, signal });
}

function setDeprecated(target: V1beta1Target, condition: NewCondition, { deprecated }: Patch, nowMs: number): void {
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

/** Without a message there is none: an empty one would be refused. */
function markBad(
  target: V1beta1Target,
  type: string,
  { reason, message }: { readonly reason: string; readonly message: string },
  severity: 'Error' | 'Warning',
  nowMs: number,
): void {
  setV1beta1Condition(target, { type, status: 'False', severity, reason, ...(message && { message }) }, nowMs);
}
