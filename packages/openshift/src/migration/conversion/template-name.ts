import type { JsonValue } from '@slipway/kube';

/** Returns the name of a MachineSet's infrastructure template, derived from its spec. */
export function templateName(machineSet: string, spec: JsonValue): string {
  return `${machineSet}-${fnv1a(canonicalJson(spec)).toString(16).padStart(8, '0')}`;
}

/** Serializes a value with sorted keys, so that equal specs have the same name in every release. */
export function canonicalJson(value: JsonValue): string {
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member as JsonValue)}`);
  return `{${members.join(',')}}`;
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
