/** Deep equality of JSON values, whatever their prototypes: stored objects and decoded ones differ there. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((item, index) => jsonEqual(item, right[index]));
  }
  return recordsEqual(left as Record<string, unknown>, right as Record<string, unknown>);
}

function recordsEqual(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
  const keys = definedKeys(left);
  if (keys.length !== definedKeys(right).length) return false;
  return keys.every((key) => Object.hasOwn(right, key) && jsonEqual(left[key], right[key]));
}

/** A key whose value is undefined is as good as absent: it never reaches the wire. */
function definedKeys(record: Record<string, unknown>): string[] {
  return Object.keys(record).filter((key) => record[key] !== undefined);
}
