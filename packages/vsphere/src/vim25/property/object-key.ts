import type { ObjectRef } from '../schema/index.js';

/** Returns a managed object as a string such as `VirtualMachine:vm-42`. */
export function keyOf({ type, value }: ObjectRef): string {
  return `${type}:${value}`;
}
