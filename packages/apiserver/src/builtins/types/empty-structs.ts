import type { JsonObject } from '@slipway/kube';
import { isScalar, messageType } from './messages.js';
import { specialForm } from './special.js';

const cache = new Map<string, JsonObject>();

/** The structs that every object of a type has, whatever its author wrote: Go cannot leave them out. */
export function emptyStructs(message: string): JsonObject {
  const known = cache.get(message);
  if (known !== undefined) return known;
  const structs: Record<string, JsonObject> = {};
  for (const field of messageType(message).fields) {
    if (field.shape !== 'singular' || isScalar(field.type) || field.pointer) continue;
    if (field.inline) Object.assign(structs, emptyStructs(field.type));
    else if (specialForm(field.type) === undefined) structs[field.name] = emptyStructs(field.type);
  }
  cache.set(message, structs);
  return structs;
}
