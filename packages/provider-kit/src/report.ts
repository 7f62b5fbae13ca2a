import { reasonByWorst, reasons, summaryCondition } from '@slipway/cluster-api';
import type { Frozen, KubeObject, Thawed } from '@slipway/kube';
import {
  type Cause,
  type Conditioned,
  type ConditionTarget,
  edit,
  FencedError,
  hasCondition,
  type ReconcileContext,
  ReconcileError,
  type Resource,
  setCondition,
} from '@slipway/runtime';
import type { RemovalProgress, ReportedCondition, ReportedTypes } from './contract.js';

const reasonOf = reasonByWorst(reasons.notReady, reasons.readyUnknown, reasons.ready);
const readyType = 'Ready';
const deletingType = 'Deleting';

export interface Reporter<T extends KubeObject> {
  readonly resource: Resource<T>;
  readonly conditions: ReportedTypes;
  /** Also writes the conditions in the deprecated v1beta1 style. */
  readonly mirror?: (draft: Thawed<Frozen<T>>, reported: readonly ReportedCondition[], nowMs: number) => void;
}

/** Writes the result of a reconcile in one patch: reported fields, conditions and their summary. */
export async function report<T extends KubeObject>(
  context: ReconcileContext,
  reporter: Reporter<T>,
  before: Frozen<T>,
  reported: readonly ReportedCondition[],
  apply: (draft: Thawed<Frozen<T>>) => void,
  cause: Cause = causeOf(reported),
): Promise<void> {
  const nowMs = context.clock.now();
  const { ready, optional = [], foreign = [], others = [] } = reporter.conditions;
  const owned = ready.filter((type) => !foreign.includes(type));
  const plain: Frozen<KubeObject> = before;
  const after = edit(plain, (draft) => {
    const typed = draft as unknown as Thawed<Frozen<T>>;
    const target = draft as ConditionTarget;
    apply(typed);
    for (const condition of reported) setCondition(target, condition, nowMs);
    const types = ready.filter(
      (type) => hasCondition(draft as Conditioned, type) || !(optional.includes(type) || foreign.includes(type)),
    );
    if (types.length > 0 && !reported.some(({ type }) => type === readyType))
      setCondition(target, summaryCondition(draft as Conditioned, readyType, { types, strategy: { reasonOf } }), nowMs);
    reporter.mirror?.(typed, reported, nowMs);
  });
  if (after === plain) return;
  await context.change({
    verb: 'patch',
    resource: reporter.resource,
    before,
    after: after as unknown as Frozen<T>,
    ownedConditions: ['Paused', readyType, deletingType, ...owned, ...others],
    observesOwnChange: true,
    ...cause,
  });
}

/** Returns the first condition that is not True: what the object waits for. */
function causeOf(reported: readonly ReportedCondition[]): Cause {
  const open = reported.find(({ type, status }) => type !== 'Paused' && status !== 'True');
  if (open === undefined) return { reason: reasons.provisioned, message: 'All infrastructure conditions are True' };
  const { type, reason, message = '' } = open;
  return { reason, message: message === '' ? `${type} is ${open.status}` : message };
}

/** Reports what a deletion waits for. */
export async function reportRemoval<T extends KubeObject>(
  context: ReconcileContext,
  reporter: Reporter<T>,
  before: Frozen<T>,
  removal: RemovalProgress<T>,
): Promise<void> {
  const { reason, message } = removal;
  const conditions = removal.conditions ?? [
    { type: deletingType, status: 'True', reason, message },
    { type: readyType, status: 'False', reason: reasons.deleting, message },
  ];
  await report(context, reporter, before, conditions, (draft) => removal.apply?.(draft));
}

interface FailureReporter<T extends KubeObject> extends Reporter<T> {
  readonly describeFailure?: (error: unknown, wasProvisioned: boolean) => readonly ReportedCondition[] | undefined;
}

/** Reports a failure of the infrastructure as conditions. Always rethrows it. */
export async function reportFailure<T extends KubeObject>(
  context: ReconcileContext,
  reporter: FailureReporter<T>,
  before: Frozen<T>,
  error: unknown,
  { wasProvisioned, others = [] }: { readonly wasProvisioned: boolean; readonly others?: readonly ReportedCondition[] },
): Promise<never> {
  // Another process is responsible now, and reports the failure.
  if (error instanceof FencedError) throw error;
  const conditions =
    reporter.describeFailure === undefined
      ? failureConditions(error, reporter.conditions, wasProvisioned)
      : reporter.describeFailure(error, wasProvisioned);
  if (conditions !== undefined) await report(context, reporter, before, [...others, ...conditions], () => undefined);
  throw error;
}

/** Returns the conditions for an expected failure. Undefined if the failure gives no information about the infrastructure. */
function failureConditions(
  error: unknown,
  { provisioned }: ReportedTypes,
  wasProvisioned: boolean,
): readonly ReportedCondition[] | undefined {
  if (!(error instanceof ReconcileError)) return undefined;
  // A failed call does not prove that a running machine has stopped.
  const status = wasProvisioned ? 'Unknown' : 'False';
  return [{ type: provisioned, status, reason: error.reason, message: error.message }];
}
