import type { JsonObject, JsonValue } from '@slipway/kube';

interface Listed {
  readonly items: readonly (JsonObject & {
    readonly kind: string;
    readonly metadata: JsonObject & { readonly name: string };
  })[];
}

const uid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;
const time = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g;
/** Matches random suffixes of five characters in generated names. */
const drawn = /-[bcdfghjklmnpqrstvwxz2456789]{5}(?=\b|-)/g;
const leftOut = new Set([
  'uid',
  'resourceVersion',
  'managedFields',
  'creationTimestamp',
  'deletionTimestamp',
  'generation',
]);

/** Returns objects as lines `Kind name: path = value`, without values that differ between runs. */
export function normalise(list: Listed): string[] {
  const lines = list.items.flatMap((item) => {
    const generation = item.metadata['generation'];
    const name = anonymous(item.metadata.name);
    const found: string[] = [];
    flatten(item, '', (path, value) => found.push(`${item.kind} ${name}: ${path} = ${value}`), generation);
    return found;
  });
  // Drop duplicate lines: the Machines of a set are alike, and the counters show their number.
  return [...new Set(lines)].sort();
}

function flatten(
  value: JsonValue,
  path: string,
  emit: (path: string, text: string) => void,
  generation: JsonValue | undefined,
): void {
  if (Array.isArray(value)) {
    for (const [index, each] of (value as readonly JsonValue[]).entries())
      flatten(each, `${path}[${labelOf(each) ?? (path.endsWith('.finalizers') ? '' : index)}]`, emit, generation);
    if (value.length === 0) emit(path, '[]');
    return;
  }
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value as JsonObject);
    if (entries.length === 0) emit(path, '{}');
    for (const [key, each] of entries) {
      if (leftOut.has(key) || each === undefined) continue;
      if (key === 'observedGeneration') emit(`${path}.${key}`, each === generation ? 'current' : 'stale');
      else flatten(each, `${path}.${key}`, emit, generation);
    }
    return;
  }
  emit(path, anonymous(String(value)));
}

/** Returns the name of a list item: lists are compared by the names of their items, not by order. */
function labelOf(item: JsonValue): string | undefined {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  const { type, kind, name, key } = item as JsonObject;
  const texts = typeof kind === 'string' && typeof name === 'string' ? [`${kind} ${name}`] : [type, name, key];
  const label = texts.find((text) => typeof text === 'string');
  return typeof label === 'string' ? anonymous(label) : undefined;
}

export function anonymous(text: string): string {
  return text
    .replace(uid, '<uid>')
    .replace(time, '<time>')
    .replace(/\b\d{6,10}-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '<hash>')
    .replace(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, '<token>')
    .replace(/\bsha256:[0-9a-f]{64}\b/g, '<hash>')
    .replace(drawn, '-<drawn>')
    .replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
}

export function differences(theirs: readonly string[], ours: readonly string[]): string[] {
  const [a, b] = [new Set(theirs), new Set(ours)];
  return [
    ...theirs.filter((line) => !b.has(line)).map((line) => `- ${line}`),
    ...ours.filter((line) => !a.has(line)).map((line) => `+ ${line}`),
  ].sort((left, right) => (left.slice(2) < right.slice(2) ? -1 : 1));
}
