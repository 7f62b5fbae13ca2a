import { cloneJson, type MutableJsonObject } from '@slipway/kube';

/**
 * Makes an object ours to change, as the server's pipeline does. Callers build what they write out of what they read, so
 * that frozen parts of stored objects stand in it: those are copied, the rest is taken as it is. Members that are undefined
 * go, as they would on the wire.
 */
export function takeOver(value: object): MutableJsonObject {
  return own(value) as MutableJsonObject;
}

function own(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Object.isFrozen(value)) return cloneJson(value);
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = own(value[index]);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    if (member === undefined) delete members[key];
    else if (typeof member === 'object') replaceMember(members, key, member);
  }
  return members;
}

function replaceMember(members: Record<string, unknown>, key: string, member: unknown): void {
  const owned = own(member);
  if (owned === member) return;
  // A plain assignment to __proto__ would change what the object is.
  Object.defineProperty(members, key, { value: owned, writable: true, enumerable: true, configurable: true });
}
