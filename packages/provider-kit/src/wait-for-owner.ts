import { parseTime, type Frozen, type KubeObject } from '@slipway/kube';
import { type Outcome, type ReconcileContext, wait } from '@slipway/runtime';
import { report, type Reporter } from './report.js';

/**
 * How long to wait before the wait is reported. The owner reference is normally set immediately, and reporting earlier
 * would cause a write for every new object.
 */
const reportAfterMs = 30_000;

/** Waits for the Cluster or Machine controller to set the owner reference, and reports a long wait in a condition. */
export async function waitForOwner<T extends KubeObject>(
  context: ReconcileContext,
  reporter: Reporter<T>,
  object: Frozen<T>,
  ownerKind: 'Cluster' | 'Machine',
): Promise<Outcome> {
  const plain: Frozen<KubeObject> = object;
  const reason = 'WaitingForOwner';
  const message = `Waiting for the ${ownerKind} controller to set the owner reference on ${plain.kind}`;
  const ageMs = context.clock.now() - parseTime(plain.metadata.creationTimestamp ?? '');
  if (ageMs < reportAfterMs) return wait({ ms: reportAfterMs - ageMs, reason, message });
  const condition = { type: reporter.conditions.provisioned, status: 'False', reason, message } as const;
  await report(context, reporter, object, [condition], () => undefined);
  return wait({ reason, message });
}
