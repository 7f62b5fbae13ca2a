import { textAt } from '@slipway/cluster-api';
import { devReasons } from '@slipway/dev';
import type { Condition } from '@slipway/runtime';
import { kubectlArguments, type Observed, refOf } from '../../objects/index.js';
import type { CauseName } from '../causes.js';
import { infrastructureCause, isInfrastructure } from '../condition-state.js';
import { badConditions, conditionFinding, isDeleting, type Rule, type View } from '../view.js';

const startup: ReadonlySet<string> = new Set([
  devReasons.waitingForStartupTimeout,
  devReasons.waitingForVmProvisioned,
  devReasons.waitingForNodeProvisioned,
  'BootstrapRunning',
  'ImageDownloading',
  'PoweringOn',
  'Starting',
  'TaskRunning',
  'WaitingForClone',
]);

/** A condition in which a provider reports that its object is blocked or failing. */
export interface ReportedProblem {
  readonly condition: Condition;
  readonly cause: CauseName;
}

/**
 * Returns the first condition of an infrastructure object that reports a problem, as `why` and the console show it. Specific
 * conditions take precedence over the Ready summary, because they explain more.
 */
export function reportedProblem(object: Observed): ReportedProblem | undefined {
  if (!isInfrastructure(object)) return undefined;
  const bad = badConditions(object).filter(({ reason }) => reason !== 'Deleting');
  const specific = bad.filter(({ type }) => type !== 'Ready');
  for (const condition of [...specific, ...(specific.length === 0 ? bad : [])]) {
    const cause = infrastructureCause(object, condition);
    if (cause !== undefined) return { condition, cause };
  }
  return undefined;
}

/** Reports an infrastructure object whose provider reports a problem, also during its deletion. */
export const infrastructureProblem: Rule = (object, view) => {
  const problem = reportedProblem(object);
  if (problem === undefined) return undefined;
  const { condition, cause } = problem;
  return conditionFinding(cause, object, condition, view, nextOf(cause, object, view));
};

function nextOf(cause: CauseName, object: Observed, view: View): readonly string[] {
  const describe = `kubectl describe ${kubectlArguments(refOf(object))}`;
  if (cause === 'MachineLost') {
    const machine = machineOf(object, view);
    return machine === undefined ? [describe] : [`kubectl delete ${kubectlArguments(refOf(machine))}`, describe];
  }
  const secret = textAt(object, 'spec', 'identityRef', 'name');
  if (
    cause === 'CredentialsRejected' &&
    secret !== undefined &&
    textAt(object, 'spec', 'identityRef', 'kind') === 'Secret'
  )
    return [`kubectl get secret/${secret} -n ${object.metadata.namespace ?? ''}`, describe];
  return [describe];
}

/** Returns the Machine of an infrastructure object, also through the infrastructure objects in between. */
function machineOf(object: Observed, view: View): Observed | undefined {
  for (const { uid, kind } of object.metadata.ownerReferences ?? []) {
    const owner = view.set.byUid(uid);
    if (owner === undefined) continue;
    if (kind === 'Machine') return owner;
    const above = isInfrastructure(owner) ? machineOf(owner, view) : undefined;
    if (above !== undefined) return above;
  }
  return undefined;
}

/** Reports an infrastructure object whose provider is still working. Applies if no dependency is the cause. */
export const infrastructure: Rule = (object, view) => {
  if (!isInfrastructure(object) || isDeleting(object)) return undefined;
  const bad = badConditions(object).filter(({ status }) => status === 'False');
  const condition =
    bad.find(({ type, reason }) => type !== 'Ready' && reason === devReasons.waitingForStartupTimeout) ??
    bad.find(({ type }) => type !== 'Ready') ??
    bad[0];
  if (condition === undefined) return undefined;
  const cause: CauseName = startup.has(condition.reason) ? 'MachineStartsUp' : 'InfrastructureNotReady';
  return conditionFinding(cause, object, condition, view, [`kubectl describe ${kubectlArguments(refOf(object))}`]);
};
