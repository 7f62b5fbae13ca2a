/**
 * Encodes JSON with sorted keys, as Go encodes maps, so that equal values give equal texts. Undefined members are omitted. Other
 * values that JSON does not have are encoded as null.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries: string[] = [];
  for (const [key, item] of Object.entries(value).sort(byKey)) {
    if (item !== undefined) entries.push(`${JSON.stringify(key)}:${canonicalJson(item)}`);
  }
  return `{${entries.join(',')}}`;
}

function byKey([left]: [string, unknown], [right]: [string, unknown]): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
