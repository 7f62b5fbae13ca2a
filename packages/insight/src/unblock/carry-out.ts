import { formatMicroTime, formatTime } from '@slipway/kube';
import { type Client, coreEvents, type Resource } from '@slipway/runtime';
import type { Observed } from '../objects/index.js';
import type { UnblockPlan } from './plan-unblock.js';

/** Annotation that records the unblocking on the object. After the deletion, the Event and the audit log still show it. */
export const unblockedAnnotation = 'slipway.dev/unblocked';

export interface UnblockRecord {
  readonly by: string;
  readonly why: string;
  readonly nowMs: number;
}

/**
 * Records an Event, then removes the finalizers. The Event comes first, so that failed attempts are recorded too. Fails if the
 * object has changed since the plan was made.
 */
export async function carryOutUnblock(
  client: Client,
  resource: Resource,
  object: Observed,
  plan: UnblockPlan,
  record: UnblockRecord,
  signal?: AbortSignal,
): Promise<void> {
  const { namespace, name } = plan.object;
  const at = formatTime(record.nowMs);
  const message = `Finalizers ${plan.finalizers.join(', ')} removed by ${record.by}: ${record.why}`;
  await client.create(coreEvents, eventOf(object, plan, message, record.nowMs), { signal });
  const text = JSON.stringify({ by: record.by, at, why: record.why, finalizers: plan.finalizers });
  const finalizers = plan.kept.length === 0 ? null : [...plan.kept];
  const metadata = {
    resourceVersion: plan.resourceVersion,
    annotations: { [unblockedAnnotation]: text },
    finalizers,
  };
  const key = { namespace: resource.namespaced ? namespace : '', name };
  await client.patch(
    resource,
    key,
    { type: 'merge', patch: { metadata } },
    { signal, fieldManager: 'slipway-unblock' },
  );
}

function eventOf(object: Observed, { object: ref }: UnblockPlan, message: string, nowMs: number): never {
  const namespace = ref.namespace === '' ? 'default' : ref.namespace;
  const time = formatTime(nowMs);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${ref.name}.${nowMs.toString(16)}`, namespace },
    involvedObject: {
      apiVersion: object.apiVersion,
      kind: ref.kind,
      namespace: ref.namespace,
      name: ref.name,
      uid: object.metadata.uid ?? '',
    },
    type: 'Warning',
    reason: 'Unblocked',
    message: message.slice(0, 1_024),
    action: 'Unblock',
    firstTimestamp: time,
    lastTimestamp: time,
    eventTime: formatMicroTime(nowMs),
    count: 1,
    reportingComponent: 'slipway',
    reportingInstance: 'slipway unblock',
    source: { component: 'slipway' },
  } as never;
}
