import { cloneJson, parseApiVersion } from '@slipway/kube';
import { edit, type NewCondition, ReconcileError, setCondition, type StatusChange } from '@slipway/runtime';
import { type ClusterClass, clusterClasses, internalErrorMessage, otherReasons, reasons } from '../api/index.js';
import { setV1beta1Condition, type V1beta1Target } from '../toolkit/index.js';
import type { VariableStatus } from '../variables/index.js';
import type { ObservedClass, TemplateReference } from './template-references.js';

export interface OutdatedReference {
  readonly reference: TemplateReference;
  readonly latest: string;
}

/** The result of reconciling the references and variables of a class. */
export interface ClassOutcome {
  readonly outdated: readonly OutdatedReference[];
  readonly referencesError?: Error;
  readonly variables?: readonly VariableStatus[];
  readonly variablesError?: Error;
}

const ownedConditions = ['VariablesReady', 'RefVersionsUpToDate', 'Paused'];

/** Returns the patch of the ClusterClass status. observedGeneration is updated only if nothing failed. */
export function classStatusChange(
  clusterClass: ObservedClass,
  outcome: ClassOutcome,
  nowMs: number,
): StatusChange<ClusterClass> {
  const { variables, referencesError, variablesError } = outcome;
  const after = edit(clusterClass, (draft) => {
    draft.status ??= {};
    if (variables !== undefined && (variables.length > 0 || draft.status.variables !== undefined))
      draft.status.variables = cloneJson(variables) as typeof draft.status.variables;
    const references = referencesCondition(outcome);
    const ready = variablesCondition(outcome);
    setCondition(draft, references, nowMs);
    setCondition(draft, ready, nowMs);
    const old = draft as V1beta1Target;
    setOld(old, references, { reason: 'OutdatedRefVersions', severity: 'Warning' }, nowMs);
    setOld(
      old,
      { ...ready, type: 'VariablesReconciled' },
      { reason: otherReasons.variableDiscoveryFailed, severity: 'Error' },
      nowMs,
    );
    const { generation } = clusterClass.metadata;
    if (referencesError === undefined && variablesError === undefined && generation !== undefined)
      draft.status.observedGeneration = generation;
  });
  return {
    verb: 'status',
    resource: clusterClasses,
    before: clusterClass,
    after,
    ownedConditions,
    reason: 'StatusUpdated',
    message: 'Updated status',
  };
}

function setOld(
  target: V1beta1Target,
  { type, status, reason, message = '' }: NewCondition,
  whenFalse: { readonly reason: string; readonly severity: 'Error' | 'Warning' },
  nowMs: number,
): void {
  const cause = status === 'False' ? { ...whenFalse, message } : status === 'Unknown' ? { reason, message } : {};
  setV1beta1Condition(target, { type, status, ...cause }, nowMs);
}

function referencesCondition({ outdated, referencesError }: ClassOutcome): NewCondition & { readonly message: string } {
  const type = 'RefVersionsUpToDate';
  if (referencesError !== undefined) {
    // The message of a ReconcileError is written for users. Other errors are only logged.
    const message = referencesError instanceof ReconcileError ? referencesError.message : internalErrorMessage;
    return { type, status: 'Unknown', reason: reasons.internalError, message };
  }
  if (outdated.length === 0) return { type, status: 'True', reason: type, message: '' };
  const lines = outdated.map(({ reference, latest }) => {
    const { version } = parseApiVersion(reference.apiVersion);
    return `* ${reference.kind} ${reference.name}: current: ${version}, latest: ${latest}`;
  });
  const message = ['The following templateRefs are not using the latest apiVersion:', ...lines].join('\n');
  return { type, status: 'False', reason: otherReasons.refVersionsNotUpToDate, message };
}

function variablesCondition({ variablesError }: ClassOutcome): NewCondition & { readonly message: string } {
  const type = 'VariablesReady';
  if (variablesError === undefined) return { type, status: 'True', reason: type, message: '' };
  return { type, status: 'False', reason: otherReasons.variableDiscoveryFailed, message: variablesError.message };
}
