import { asJson, deepEqual, type JsonValue } from '@slipway/kube';
import type { ObjectKey } from '../client/index.js';
import { keyOf } from './patch-object.js';
import type { Change, Plan } from './plan.js';

export interface FieldDifference {
  readonly path: string;
  readonly from?: JsonValue;
  readonly to?: JsonValue;
}

const differencesMax = 50;
const hidden = '(hidden)';

export function changeKey(change: Change): ObjectKey {
  if (change.verb === 'create') return keyOf(change.object);
  return change.verb === 'patch' ? keyOf(change.before) : change.key;
}

/** `create Machine default/m1 (ScalingUp)`: the same line in the log, the event and the dry run. */
export function describeChange(change: Change): string {
  const { namespace, name } = changeKey(change);
  const what = change.verb === 'call' ? change.action : change.verb;
  const named = name === '' && change.verb === 'create' ? `${change.object.metadata.generateName ?? ''}*` : name;
  const line = `${what} ${change.resource.kind} ${namespace === '' ? named : `${namespace}/${named}`} (${change.reason})`;
  return change.message === undefined ? line : `${line}: ${change.message}`;
}

export function describePlan(plan: Plan): string[] {
  return plan.changes.map(describeChange);
}

/** The fields that a patch changes. What a Secret holds is never shown. */
export function differencesOf(change: Change): FieldDifference[] {
  if (change.verb !== 'patch') return [];
  const found: FieldDifference[] = [];
  compare(asJson(change.before), asJson(change.after), '', found);
  if (change.resource.group !== '' || change.resource.kind !== 'Secret') return found;
  return found.map(({ path }) => (/^(data|stringData)\b/.test(path) ? { path, to: hidden } : { path }));
}

function compare(from: JsonValue | undefined, to: JsonValue | undefined, path: string, found: FieldDifference[]): void {
  if (found.length >= differencesMax || deepEqual(from, to)) return;
  if (!isPlain(from) || !isPlain(to)) {
    found.push({ path, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
    return;
  }
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)]))
    compare(from[key], to[key], path === '' ? key : `${path}.${key}`, found);
}

function isPlain(value: JsonValue | undefined): value is { readonly [key: string]: JsonValue | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
