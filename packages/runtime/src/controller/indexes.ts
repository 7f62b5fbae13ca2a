import type { Frozen, KubeObject } from '@slipway/kube';
import type { Index } from './source.js';

/** One that looks at no more than what every object has, and so fits objects of any kind. */
export interface AnyIndex {
  readonly name: string;
  readonly valuesOf: <T extends KubeObject>(object: Frozen<T>) => readonly string[];
}

/** A frozen object of any kind has the metadata of all; the compiler cannot see that through `Frozen`. */
function ofAny(index: Index): AnyIndex {
  return index as AnyIndex;
}

/** Finds objects by the uid of the object that controls them. */
export const controllerIndex: AnyIndex = ofAny({
  name: 'controller',
  valuesOf: (object) => {
    const owner = object.metadata.ownerReferences?.find((reference) => reference.controller === true);
    return owner === undefined ? [] : [owner.uid];
  },
});

const labelIndexes = new Map<string, AnyIndex>();

/** Finds objects by namespace and value of a label: `namespace/value`. */
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
