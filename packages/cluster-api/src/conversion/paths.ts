import type { MutableJson, MutableJsonObject } from '@slipway/kube';
import { isEmpty, isObject, member } from './json-object.js';

export type Path = readonly string[];

export function parsePath(path: string): Path {
  return path.split('.');
}

/** Removes the value at a path and returns it. Parents that become empty are removed too. */
export function take(root: MutableJsonObject, path: Path, depth = 0): MutableJson | undefined {
  const key = path[depth];
  if (key === undefined) return undefined;
  const value = member(root, key);
  if (value === undefined) return undefined;
  if (depth === path.length - 1) {
    delete root[key];
    return value;
  }
  if (!isObject(value)) return undefined;
  const taken = take(value, path, depth + 1);
  if (taken !== undefined && isEmpty(value)) delete root[key];
  return taken;
}

/** Sets the value at a path. Creates missing parents. */
export function put(root: MutableJsonObject, path: Path, value: MutableJson): void {
  let container = root;
  for (const key of path.slice(0, -1)) {
    let next = member(container, key);
    if (!isObject(next)) {
      next = {};
      container[key] = next;
    }
    container = next;
  }
  const last = path.at(-1);
  if (last !== undefined) container[last] = value;
}
