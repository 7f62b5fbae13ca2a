import { ReconcileError, customResourceDefinitions, type Resource, type Sources, type Watch } from '@slipway/runtime';
import { type Contract, contractVersionOf, definitionNameOf } from './contract-version.js';

/** Names a kind of a provider; which version of it is read, its definition tells. */
export interface KindReference {
  readonly apiGroup: string;
  readonly kind: string;
}

export interface ProviderKind {
  readonly resource: Resource;
  /** Decides by which paths its fields are read. */
  readonly contract: Contract;
}

export type ProviderKindReason = 'DefinitionMissing' | 'ContractMissing';

/** For controllers that resolve kinds: their definitions are known from the start, and changes of them cause no work. */
export const definitionsWatch: Watch = { resource: customResourceDefinitions, map: () => [] };

/** The same names again and again: one object each, so that caches can go by identity. */
const known = new Map<string, ProviderKind>();

/**
 * The resource behind a reference to a provider's object, by the metadata of its definition: the contract asks that it is
 * namespaced and that its plural is regular. A definition that is not there is no "not found": whoever deletes
 * would take the object itself for gone.
 */
export function resolveKind(sources: Sources, reference: KindReference): ProviderKind {
  const name = definitionNameOf(reference.apiGroup, reference.kind);
  const definition = sources.sourceFor(customResourceDefinitions).get({ namespace: '', name });
  if (definition === undefined)
    throw new ReconcileError<ProviderKindReason>(
      'DefinitionMissing',
      `the kind ${reference.kind} of ${reference.apiGroup} is not installed (no CustomResourceDefinition ${name})`,
      { retry: 'later', remedy: 'install the provider that brings it, or correct the reference' },
    );
  const found = contractVersionOf(definition.metadata.labels);
  if (found === undefined)
    throw new ReconcileError<ProviderKindReason>(
      'ContractMissing',
      `the CustomResourceDefinition ${name} has no label cluster.x-k8s.io/<contract>`,
      { retry: 'later', remedy: 'install a version of the provider that fulfils the v1beta2 or v1beta1 contract' },
    );
  const { contract, version } = found;
  const plural = name.slice(0, -reference.apiGroup.length - 1);
  return remembered({ group: reference.apiGroup, version, kind: reference.kind, plural, namespaced: true }, contract);
}

function remembered(resource: Resource, contract: Contract): ProviderKind {
  const { group, version, kind } = resource;
  const text = JSON.stringify([group, version, kind, contract]);
  let entry = known.get(text);
  if (entry === undefined) {
    entry = { resource, contract };
    known.set(text, entry);
  }
  return entry;
}
