import { textAt } from '@slipway/cluster-api';
import { devReasons } from '@slipway/dev';
import { timeOf } from '@slipway/kube';
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
  if (isAwaited(object, problem, view)) return undefined;
  return conditionFinding(cause, object, condition, view, nextOf(cause, object, view));
};

/** Time after the creation of an object in which the objects that it references may still be created. */
const manifestMs = 10_000;

/** Returns whether a reported Secret exists by now, or is probably about to be created with the same manifest. */
function isAwaited(object: Observed, { condition, cause }: ReportedProblem, { set, nowMs }: View): boolean {
  const name = identitySecretOf(object);
  if (cause !== 'CredentialsRejected' || name === undefined || !/\bnot found\b/.test(condition.message)) return false;
  const { namespace = '', creationTimestamp } = object.metadata;
  const isPresent = set.get({ group: '', kind: 'Secret', namespace, name }) !== undefined;
  return isPresent || nowMs - (timeOf(creationTimestamp) ?? 0) < manifestMs;
}

/** Returns the name of the Secret with the credentials of a cluster, if the object references one directly. */
function identitySecretOf(object: Observed): string | undefined {
  const isSecret = textAt(object, 'spec', 'identityRef', 'kind') === 'Secret';
  return isSecret ? textAt(object, 'spec', 'identityRef', 'name') : undefined;
}

function nextOf(cause: CauseName, object: Observed, view: View): readonly string[] {
  const describe = `kubectl describe ${kubectlArguments(refOf(object))}`;
  if (cause === 'MachineLost') {
    const machine = machineOf(object, view);
    return machine === undefined ? [describe] : [`kubectl delete ${kubectlArguments(refOf(machine))}`, describe];
  }
  const secret = identitySecretOf(object);
  if (cause === 'CredentialsRejected' && secret !== undefined)
    return [`kubectl get secret/${secret} -n ${object.metadata.namespace ?? ''}`, describe];
  return [describe];
}

/** Returns the Machine that owns an infrastructure object, directly or through other infrastructure objects. */
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
