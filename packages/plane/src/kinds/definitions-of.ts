import { type CustomResourceDefinition, type Kind, toCustomResourceDefinition } from '@slipway/kube';
import type { KindSet } from './kind-set.js';

type DefinitionOptions = NonNullable<Parameters<typeof toCustomResourceDefinition>[1]>;

/** Returns the CRDs of a kind set with the labels of the set. */
export function definitionsOf(
  { kinds, labels = {} }: KindSet,
  optionsOf: (kind: Kind) => DefinitionOptions = () => ({}),
): CustomResourceDefinition[] {
  return kinds.map((kind) => {
    const definition = toCustomResourceDefinition(kind, optionsOf(kind));
    const { metadata } = definition;
    return { ...definition, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
  });
}
