import type { ObjectRef } from '../schema/index.js';

/** A managed object as one text, `VirtualMachine:vm-42`. */
export function keyOf({ type, value }: ObjectRef): string {
  return `${type}:${value}`;
}
