import type { ObjectRef } from '../schema/index.js';

/** A managed object as a string, `VirtualMachine:vm-42`. */
export function keyOf({ type, value }: ObjectRef): string {
  return `${type}:${value}`;
}
