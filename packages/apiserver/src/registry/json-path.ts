import { valueAt } from '@slipway/kube';

/** The steps of a simple JSON path such as `.spec.replicas`: fields only. */
export function stepsOf(path: string): readonly string[] {
  return path.split('.').filter((step) => step !== '');
}

export function valueAtPath(object: unknown, path: string): unknown {
  return valueAt(object, ...stepsOf(path));
}
