import type { Frozen, KubeObject } from '@slipway/kube';
import { kubeadmConfigs } from '@slipway/kubeadm';
import { controllerOf } from '@slipway/runtime';
import type { ObjectEvent } from './recording.js';

/** How the plan changes an object that is not a Machine. */
export interface ObjectOutcome {
  readonly outcome: 'create' | 'update' | 'delete';
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** Kinds that are part of a machine, or between a group and its machines. Users do not manage them. */
const details: ReadonlySet<string> = new Set(['Machine', 'MachineSet', 'IPAddress', 'IPAddressClaim']);

/** Returns the differences between the first and the last state of the objects that users manage. */
export function changedObjects(events: readonly ObjectEvent[]): ObjectOutcome[] {
  const spans = new Map<string, { first: ObjectEvent; last: ObjectEvent }>();
  for (const event of events) {
    const object = event.after ?? event.before;
    if (object === undefined) continue;
    const key = `${event.resource} ${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
    const span = spans.get(key);
    if (span === undefined) spans.set(key, { first: event, last: event });
    else span.last = event;
  }
  return [...spans.values()].flatMap(({ first, last }) => {
    // Decide by the last state, because an object of a machine has no owner right after its creation.
    const object = last.after ?? last.before;
    return object === undefined || isDetail(object) ? [] : outcomeOf(first.before, last.after);
  });
}

function isDetail(object: Frozen<KubeObject>): boolean {
  const owner = controllerOf(object)?.kind;
  return details.has(object.kind) || (owner !== undefined && details.has(owner));
}

function outcomeOf(before: Frozen<KubeObject> | undefined, after: Frozen<KubeObject> | undefined): ObjectOutcome[] {
  const object = after ?? before;
  if (object === undefined) return [];
  const { namespace = '', name = '' } = object.metadata;
  const place = { kind: object.kind, namespace, name };
  if (before === undefined) return after === undefined ? [] : [{ outcome: 'create', ...place }];
  if (after === undefined) return [{ outcome: 'delete', ...place }];
  return specText(before) === specText(after) ? [] : [{ outcome: 'update', ...place }];
}

interface SpecWithToken {
  readonly joinConfiguration?: { readonly discovery?: { readonly bootstrapToken?: { readonly token?: string } } };
}

/** Returns the spec as text, without the bootstrap token: the token of a MachinePool is renewed without a change by the user. */
function specText(object: Frozen<KubeObject>): string {
  const { spec } = object as { readonly spec?: SpecWithToken };
  const token =
    object.kind === kubeadmConfigs.kind ? spec?.joinConfiguration?.discovery?.bootstrapToken?.token : undefined;
  const text = JSON.stringify(spec ?? null);
  return token === undefined ? text : text.replaceAll(JSON.stringify(token), '""');
}
