import { getKey } from '../json/set-key.js';
import type { MutableJson, MutableJsonObject } from '../json/value.js';

/** A parent and the last step to the value in it, as an operation of a JSON patch addresses it. */
export interface Place {
  readonly parent: Container;
  readonly key: string;
}

type Container = MutableJson[] | MutableJsonObject;

/** Undefined when the way there is missing, blocked by a scalar, or the pointer does not go below the root. */
export function findPlace(root: MutableJson, pointer: string): Place | undefined {
  const steps = pointer.split('/');
  if (steps.length < 2) return undefined;
  let parent: MutableJson | undefined = root;
  for (let index = 1; index < steps.length - 1; index += 1) {
    if (!isContainer(parent)) return undefined;
    parent = childOf(parent, unescapeStep(steps[index] ?? ''));
  }
  if (!isContainer(parent)) return undefined;
  return { parent, key: unescapeStep(steps.at(-1) ?? '') };
}

function childOf(parent: Container, key: string): MutableJson | undefined {
  if (!Array.isArray(parent)) return getKey(parent, key);
  const index = parseIndex(key, parent.length);
  return index === undefined ? undefined : parent[index];
}

function isContainer(value: MutableJson | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function unescapeStep(step: string): string {
  return step.includes('~') ? step.replaceAll('~1', '/').replaceAll('~0', '~') : step;
}

/** An index below `length`. Negative ones count from the end: upstream's library allows that, and people rely on it. */
export function parseIndex(text: string, length: number): number | undefined {
  if (!/^[-+]?[0-9]{1,15}$/.test(text)) return undefined;
  const index = Number(text);
  const position = index < 0 ? index + length : index;
  return position >= 0 && position < length ? position : undefined;
}
