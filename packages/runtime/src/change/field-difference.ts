import { asJson, deepEqual, type Frozen, type JsonObject, type JsonValue, type KubeObject } from '@slipway/kube';

export interface FieldDifference {
  readonly path: string;
  readonly from?: JsonValue;
  readonly to?: JsonValue;
}

const differencesMax = 50;
const hidden = '(hidden)';
/** Fields of any kind that may contain credentials: cloud-init files, passwords, bootstrap tokens. */
const sensitiveFields = /^(data|stringData|content|passwd|password|token|key|secret|kubeconfig)$/i;

/**
 * Returns the fields that differ, at most 50. Secret values and fields that may contain credentials are listed without their
 * values.
 */
export function fieldDifferences(before: Frozen<KubeObject>, after: Frozen<KubeObject>): FieldDifference[] {
  const found: FieldDifference[] = [];
  compare(asJson(before), asJson(after), '', found);
  if (before.kind === 'Secret') return found.map(({ path }) => ({ path, to: hidden }));
  return found;
}

function compare(from: JsonValue | undefined, to: JsonValue | undefined, path: string, found: FieldDifference[]): void {
  if (found.length >= differencesMax || from === to || deepEqual(from, to)) return;
  const [fromMembers, toMembers] = [membersOf(from), membersOf(to)];
  if (fromMembers === undefined || toMembers === undefined) {
    const isHidden = sensitiveFields.test(path.slice(path.lastIndexOf('.') + 1));
    const shown = (value: JsonValue): JsonValue => (isHidden ? hidden : redacted(value));
    found.push({
      path,
      ...(from === undefined ? {} : { from: shown(from) }),
      ...(to === undefined ? {} : { to: shown(to) }),
    });
    return;
  }
  const isList = Array.isArray(to);
  for (const name of new Set([...Object.keys(fromMembers), ...Object.keys(toMembers)])) {
    const child = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
    compare(fromMembers[name], toMembers[name], child, found);
  }
}

/** Returns the members to compare one by one: the fields of an object, or the entries of a condition list by type. */
function membersOf(value: JsonValue | undefined): JsonObject | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value)) return value as JsonObject;
  const byType: Record<string, JsonValue> = {};
  for (const item of value as readonly JsonValue[]) {
    const type =
      typeof item === 'object' && item !== null && !Array.isArray(item) ? (item as JsonObject)['type'] : undefined;
    if (typeof type !== 'string' || Object.hasOwn(byType, type)) return undefined;
    byType[type] = item;
  }
  return byType;
}

function redacted(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(redacted);
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [
      name,
      sensitiveFields.test(name) ? hidden : redacted(member as JsonValue),
    ]),
  );
}
