import { getKey } from '../json/set-key.js';
import type { MutableJson, MutableJsonObject } from '../json/value.js';

/** The parent of the value that a JSON patch operation addresses, and the last token of the path. */
export interface Place {
  readonly parent: Container;
  readonly key: string;
}

type Container = MutableJson[] | MutableJsonObject;

/**
 * Finds the place that a pointer addresses. Returns undefined if a parent is absent or a scalar, or if the pointer is the root.
 */
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

/** Parses an index below `length`. Negative indices count from the end, as in upstream's library; users rely on it. */
export function parseIndex(text: string, length: number): number | undefined {
  if (!/^[-+]?[0-9]{1,15}$/.test(text)) return undefined;
  const index = Number(text);
  const position = index < 0 ? index + length : index;
  return position >= 0 && position < length ? position : undefined;
}
