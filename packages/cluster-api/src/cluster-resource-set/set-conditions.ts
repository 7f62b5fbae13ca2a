import { type ConditionTarget, setCondition } from '@slipway/runtime';
import { internalErrorMessage, otherReasons, reasons } from '../api/index.js';
import { markFalse, markTrue, type V1beta1Target } from '../toolkit/index.js';

export const resourcesAppliedType = 'ResourcesApplied';

/** A reason why a set is not applied to all its clusters. */
export interface SetProblem {
  readonly kind: 'wrong-secret-type' | 'resource-missing' | 'not-connected' | 'apply-failed' | 'selector' | 'internal';
  readonly message: string;
}

const oldReasons: Readonly<Record<SetProblem['kind'], string>> = {
  'wrong-secret-type': 'WrongSecretType',
  'resource-missing': 'RetrievingResourceFailed',
  'not-connected': 'RemoteClusterClientFailed',
  'apply-failed': 'ApplyFailed',
  selector: 'ClusterMatchFailed',
  internal: 'RetrievingResourceFailed',
};
/** Order of problems in the condition: those that a user can fix come first. */
const order: readonly SetProblem['kind'][] = [
  'wrong-secret-type',
  'resource-missing',
  'selector',
  'apply-failed',
  'internal',
  'not-connected',
];
const messagesMax = 3;

/** Sets the ResourcesApplied condition in both styles. Keeps the current value if there are neither problems nor clusters. */
export function setResourcesApplied(
  draft: ConditionTarget & { status?: { deprecated?: { v1beta1?: object } } },
  problems: readonly SetProblem[],
  clusterCount: number,
  nowMs: number,
): void {
  const target = draft as ConditionTarget & V1beta1Target;
  const sorted = [...problems].sort((left, right) => order.indexOf(left.kind) - order.indexOf(right.kind));
  const [worst] = sorted;
  if (worst === undefined) {
    if (clusterCount === 0) return;
    setCondition(target, { type: resourcesAppliedType, status: 'True', reason: otherReasons.applied }, nowMs);
    markTrue(target, resourcesAppliedType, nowMs);
    return;
  }
  const message = messageOf(sorted);
  setCondition(target, { type: resourcesAppliedType, status: 'False', reason: reasonOf(worst), message }, nowMs);
  const severity = worst.kind === 'not-connected' ? 'Error' : 'Warning';
  markFalse(target, resourcesAppliedType, { reason: oldReasons[worst.kind], severity, message }, nowMs);
}

function reasonOf({ kind }: SetProblem): string {
  if (kind === 'wrong-secret-type') return otherReasons.wrongSecretType;
  return kind === 'internal' || kind === 'selector' ? reasons.internalError : otherReasons.notApplied;
}

function messageOf(problems: readonly SetProblem[]): string {
  const messages = [
    ...new Set(problems.map(({ kind, message }) => (kind === 'internal' ? internalErrorMessage : message))),
  ];
  const [first = ''] = messages;
  if (messages.length === 1) return first;
  const shown = messages.slice(0, messagesMax).map((message) => `* ${message}`);
  const more = messages.length - shown.length;
  return [...shown, ...(more > 0 ? [`And ${more} other issues`] : [])].join('\n');
}
