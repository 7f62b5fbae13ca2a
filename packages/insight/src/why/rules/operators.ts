import { kubectlArguments, type Observed, refOf } from '../../objects/index.js';
import type { CauseName } from '../causes.js';
import { causeOfReason, stateOf } from '../condition-state.js';
import { badConditions, conditionFinding, isDeleting, type Rule } from '../view.js';

const summaries: ReadonlySet<string> = new Set(['Ready', 'Available', 'Degraded']);
const working =
  /^(RollingOut|WaitingFor\w+|UpgradeInProgress|NotChecked|InProgress|Progressing|NotInstalled|NodesNotRegistered|NodesNotInitialized|AuthoritativeAPIChanged)$/;

function ownerOf(object: Observed): CauseName | undefined {
  const { group } = refOf(object);
  if (group === 'vdo.vmware.com') return 'DriversNotInstalled';
  if (group === 'operator.cluster.x-k8s.io') return 'ProviderNotInstalled';
  return /(^|\.)openshift\.io$/.test(group) ? 'OperatorDegraded' : undefined;
}

/**
 * Reports objects of the driver operator, the provider operator and OpenShift. Their conditions contain what has to be corrected.
 */
export const operators: Rule = (object, view) => {
  const cause = ownerOf(object);
  if (cause === undefined || isDeleting(object)) return undefined;
  const bad = badConditions(object).filter(({ type }) => type !== 'Progressing');
  const specific = bad.filter(({ type, status }) => !summaries.has(type) && status !== 'Unknown');
  const condition =
    specific.find(({ reason }) => !working.test(reason)) ?? bad.find(({ reason }) => !working.test(reason));
  if (condition === undefined) return undefined;
  const isCredentials = causeOfReason.get(condition.reason) === 'CredentialsRejected';
  const isOutage = condition.reason === 'Unreachable' || condition.reason === 'DNSFailure';
  const isWaiting = condition.status === 'Unknown' && stateOf(object, condition) === 'progress';
  if (isWaiting) return undefined;
  const target = kubectlArguments(refOf(object));
  const next = refOf(object).group === 'vdo.vmware.com' ? ['slipway drivers status'] : [];
  const found = isCredentials ? 'CredentialsRejected' : isOutage ? 'VCenterUnreachable' : cause;
  return conditionFinding(found, object, condition, view, [...next, `kubectl describe ${target}`]);
};
