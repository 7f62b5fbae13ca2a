import { valueAt } from '@slipway/kube';

/** Returns the steps of a simple JSON path such as `.spec.replicas`, which consists of fields only. */
export function stepsOf(path: string): readonly string[] {
  return path.split('.').filter((step) => step !== '');
}

export function valueAtPath(object: unknown, path: string): unknown {
  return valueAt(object, ...stepsOf(path));
}
