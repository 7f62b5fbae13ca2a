import { cloneJson, type MutableJsonObject } from '@slipway/kube';

/**
 * Returns a mutable version of an object, as the server's pipeline requires. Callers build objects from objects that they read,
 * which contain frozen parts of stored objects: frozen parts are copied, all others are used without a copy. Undefined members
 * are removed, as in JSON.
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
  // A plain assignment to __proto__ would change the prototype of the object.
  Object.defineProperty(members, key, { value: owned, writable: true, enumerable: true, configurable: true });
}
