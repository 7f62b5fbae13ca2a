import type { Frozen, KubeObject } from '@slipway/kube';
import type { Index } from './source.js';

/** Finds objects by the uid of the object that controls them. */
export const controllerIndex: Index = {
  name: 'controller',
  valuesOf: (object) => {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
    return owner === undefined ? [] : [owner.uid];
  },
};

const labelIndexes = new Map<string, Index>();

/** Finds objects by namespace and value of a label: `namespace/value`. */
export function labelIndex<T extends KubeObject = KubeObject>(label: string): Index<T> {
  let index = labelIndexes.get(label);
  if (index === undefined) {
    const valuesOf = ({ metadata }: Frozen<KubeObject>): readonly string[] => {
      const value = metadata.labels?.[label];
      return value === undefined ? [] : [`${metadata.namespace ?? ''}/${value}`];
    };
    index = { name: `label ${label}`, valuesOf };
    labelIndexes.set(label, index);
  }
  // It reads nothing but metadata, which every kind has; the compiler cannot see that through `Frozen`.
  return index as unknown as Index<T>;
}
