import { deepEqual, isFields, valueAt } from '@slipway/kube';

type Path = readonly string[];

/** The paths of the fields that differ. Lists differ as a whole. */
export function changedPaths(left: unknown, right: unknown, path: Path = []): Path[] {
  if (deepEqual(left, right)) return [];
  const fields = isFields(left) || isFields(right);
  const comparable = (isFields(left) || left === undefined) && (isFields(right) || right === undefined);
  if (!fields || !comparable) return [path];
  const keys = new Set([...Object.keys(left ?? {}), ...Object.keys(right ?? {})]);
  const changes = [...keys].flatMap((key) => changedPaths(valueAt(left, key), valueAt(right, key), [...path, key]));
  // An empty object that came or went has no field to name.
  return changes.length === 0 ? [path] : changes;
}

/** Whether a path lies in one of the allowed ones: `a.*` stands for everything in `a`. */
export function isAllowedPath(path: Path, allowed: readonly string[]): boolean {
  return allowed.some((pattern) => {
    const parts = pattern.split('.');
    const open = parts.at(-1) === '*';
    const fixed = open ? parts.slice(0, -1) : parts;
    return (
      (open ? path.length >= fixed.length : path.length === fixed.length) &&
      fixed.every((part, index) => part === path[index])
    );
  });
}
