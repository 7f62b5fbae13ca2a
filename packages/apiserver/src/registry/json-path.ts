/** The steps of a simple JSON path such as `.spec.replicas`: fields only. */
export function stepsOf(path: string): readonly string[] {
  return path.split('.').filter((step) => step !== '');
}

export function valueAt(object: unknown, path: string): unknown {
  return valueAtSteps(object, stepsOf(path));
}

export function valueAtSteps(object: unknown, steps: readonly string[]): unknown {
  let node = object;
  for (const step of steps) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, step)) return undefined;
    node = (node as Record<string, unknown>)[step];
  }
  return node;
}
