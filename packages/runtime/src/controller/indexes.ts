import type { Frozen, KubeObject } from '@slipway/kube';
import type { Index } from './source.js';

/** An index that uses only metadata, and so applies to objects of any kind. */
export interface AnyIndex {
  readonly name: string;
  readonly valuesOf: <T extends KubeObject>(object: Frozen<T>) => readonly string[];
}

/**
 * Declares that an index applies to any kind: all objects have the same metadata, which the compiler cannot infer through
 * `Frozen`.
 */
function ofAny(index: Index): AnyIndex {
  return index as AnyIndex;
}

/** Indexes objects by the uid of their controller owner. */
export const controllerIndex: AnyIndex = ofAny({
  name: 'controller',
  valuesOf: (object) => {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
    return owner === undefined ? [] : [owner.uid];
  },
});

const labelIndexes = new Map<string, AnyIndex>();

/** Returns an index of objects by namespace and label value, as `namespace/value`. */
export function labelIndex(label: string): AnyIndex {
  let index = labelIndexes.get(label);
  if (index === undefined) {
    const valuesOf = ({ metadata }: Frozen<KubeObject>): readonly string[] => {
      const value = metadata.labels?.[label];
      return value === undefined ? [] : [`${metadata.namespace ?? ''}/${value}`];
    };
    index = ofAny({ name: `label ${label}`, valuesOf });
    labelIndexes.set(label, index);
  }
  return index;
}
