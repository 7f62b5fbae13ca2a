import { type CustomResourceDefinition, type Kind, toCustomResourceDefinition } from '@slipway/kube';
import type { KindSet } from './kind-set.js';

type DefinitionOptions = NonNullable<Parameters<typeof toCustomResourceDefinition>[1]>;

/** The definitions of a set, with the labels that all of them bear. */
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
