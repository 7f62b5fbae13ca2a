import type { Logger } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Client, ifPresent } from '../client/index.js';
import type { EventRecorder } from '../events/event-recorder.js';
import { changeKey, describeChange, differencesOf } from './describe-change.js';
import { joinOutcomes, type Outcome, retry } from './outcome.js';
import { patchObject } from './patch-object.js';
import type { Change, Plan } from './plan.js';

export interface ApplyPlanOptions {
  readonly signal?: AbortSignal;
  readonly logger?: Logger;
  readonly events?: EventRecorder;
  readonly fieldManager?: string;
  /** The server validates and admits, nothing is stored, and no call leaves. */
  readonly dryRun?: boolean;
  /** `stop` (default) leaves the changes after a failed one undone; `continue` tries them all and joins the errors. */
  readonly onError?: 'stop' | 'continue';
}

export interface AppliedChange {
  readonly change: Change;
  readonly result?: Frozen<KubeObject>;
  readonly error?: Error;
}

export interface AppliedPlan {
  readonly outcome: Outcome;
  readonly applied: readonly AppliedChange[];
}

/** Carries out a plan. The only place that writes: what is logged, told and previewed is what is done. */
export async function applyPlan(client: Client, plan: Plan, options: ApplyPlanOptions = {}): Promise<AppliedPlan> {
  const applied: AppliedChange[] = [];
  const failures: Outcome[] = [];
  for (const change of plan.changes) {
    try {
      const result = await applyChange(client, change, options);
      applied.push(result === undefined ? { change } : { change, result });
      report(change, options);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause), { cause });
      applied.push({ change, error });
      failures.push(retry(new Error(`${describeChange(change)}: ${error.message}`, { cause: error })));
      if (options.onError !== 'continue') break;
    }
  }
  return { applied, outcome: failures.length > 0 ? joinOutcomes(failures) : plan.outcome };
}

async function applyChange(
  client: Client,
  change: Change,
  options: ApplyPlanOptions,
): Promise<Frozen<KubeObject> | undefined> {
  const { signal, dryRun, fieldManager } = options;
  const write = { signal, dryRun, fieldManager };
  switch (change.verb) {
    case 'create':
      return client.create(change.resource, change.object, write);
    case 'patch': {
      const ownedConditions = change.ownedConditions ?? [];
      return patchObject(client, change.resource, change.before, change.after, { ...write, ownedConditions });
    }
    case 'apply': {
      const { subresource, fieldManager: manager } = change;
      const apply = { ...write, fieldManager: manager, force: true, subresource };
      return client.apply(change.resource, change.key, change.configuration, apply);
    }
    case 'delete':
      return ifPresent(client.delete(change.resource, change.key, { ...change.options, signal, dryRun }));
    case 'call':
      if (dryRun !== true) await change.run(signal);
      return undefined;
  }
}

function report(change: Change, options: ApplyPlanOptions): void {
  const { namespace, name } = changeKey(change);
  const { logger, events, dryRun } = options;
  if (logger !== undefined) {
    const diff = differencesOf(change);
    const fields = { [change.resource.kind]: { namespace, name }, reason: change.reason, verb: change.verb };
    logger.info(diff.length > 0 ? { ...fields, diff } : fields, dryRun === true ? 'Would change' : 'Changed');
  }
  if (events === undefined || dryRun === true || change.eventFor === undefined) return;
  const message = change.message ?? describeChange(change);
  events.record(change.eventFor, { type: 'Normal', reason: change.reason, action: change.verb, message });
}
