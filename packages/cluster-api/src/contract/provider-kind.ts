import { ReconcileError, customResourceDefinitions, type Resource, type Sources, type Watch } from '@slipway/runtime';
import { type Contract, contractVersionOf, definitionNameOf } from './contract-version.js';

/** A reference to a provider kind without an API version: the CRD determines it. */
export interface KindReference {
  readonly apiGroup: string;
  readonly kind: string;
}

export interface ProviderKind {
  readonly resource: Resource;
  /** The contract that the version implements. It determines the field paths. */
  readonly contract: Contract;
}

export type ProviderKindReason = 'DefinitionMissing' | 'ContractMissing';

/** A watch for controllers that resolve kinds: it caches CRDs from the start, and their changes trigger no reconcile. */
export const definitionsWatch: Watch = { resource: customResourceDefinitions, map: () => [] };

/** One object for each name, so that caches can compare kinds by identity. */
const cached = new Map<string, ProviderKind>();

/**
 * Resolves the kind of a referenced provider object from the metadata of its CRD. The contract requires a namespaced kind with a
 * regular plural. A missing CRD is not reported as NotFound, from which a deletion would conclude that the object does not exist.
 */
export function resolveKind(sources: Sources, reference: KindReference): ProviderKind {
  const name = definitionNameOf(reference.apiGroup, reference.kind);
  const definition = sources.sourceFor(customResourceDefinitions).get({ namespace: '', name });
  if (definition === undefined)
    throw new ReconcileError<ProviderKindReason>(
      'DefinitionMissing',
      `the kind ${reference.kind} of ${reference.apiGroup} is not installed (no CustomResourceDefinition ${name})`,
      { retry: 'later', remedy: 'install the provider that includes it, or correct the reference' },
    );
  const found = contractVersionOf(definition.metadata.labels);
  if (found === undefined)
    throw new ReconcileError<ProviderKindReason>(
      'ContractMissing',
      `the CustomResourceDefinition ${name} has no label cluster.x-k8s.io/<contract>`,
      { retry: 'later', remedy: 'install a version of the provider that implements the v1beta2 or v1beta1 contract' },
    );
  const { contract, version } = found;
  const plural = name.slice(0, -reference.apiGroup.length - 1);
  return remembered({ group: reference.apiGroup, version, kind: reference.kind, plural, namespaced: true }, contract);
}

function remembered(resource: Resource, contract: Contract): ProviderKind {
  const { group, version, kind } = resource;
  const text = JSON.stringify([group, version, kind, contract]);
  let entry = cached.get(text);
  if (entry === undefined) {
    entry = { resource, contract };
    cached.set(text, entry);
  }
  return entry;
}
