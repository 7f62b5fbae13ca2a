import {
  formatApiVersion,
  type Frozen,
  type KubeObject,
  labelSelectorFromObject,
  parseApiVersion,
} from '@slipway/kube';
import type { AdmissionRequest, ResourceDefinition, Store, StoredObject } from '../../contract/index.js';
import type { DefinitionSource } from '../matching/equivalents.js';
import { admissionNamespace } from '../refuse.js';
import type { Binding, ParamRef, Policy } from './policy.js';

export interface ParamSources {
  readonly store: Store;
  readonly definitions: DefinitionSource;
}

/**
 * Returns the parameter objects of a policy for one binding. The policy is evaluated once per entry; an undefined entry means an
 * evaluation without a parameter. Throws an Error that describes the configuration problem.
 */
export async function collectParams(
  policy: Policy,
  binding: Binding,
  request: AdmissionRequest,
  sources: ParamSources,
): Promise<readonly (Frozen<KubeObject> | undefined)[]> {
  const { paramKind } = policy;
  const { paramRef } = binding;
  if (paramKind === undefined || paramRef === undefined) return [undefined];
  const definition = definitionOf(paramKind, sources.definitions);
  const found = find(definition, paramRef, request, sources.store);
  if (found.length === 0 && paramRef.deniesWhenMissing)
    throw new Error('no params found for policy binding with `Deny` parameterNotFoundAction');
  return atVersion(definition, parseApiVersion(paramKind.apiVersion).version, found);
}

function definitionOf(paramKind: NonNullable<Policy['paramKind']>, source: DefinitionSource): ResourceDefinition {
  const { group, version } = parseApiVersion(paramKind.apiVersion);
  const definition = source
    .definitions()
    .find(
      (one) =>
        one.group === group &&
        one.kind === paramKind.kind &&
        one.versions.some((served) => served.name === version && served.served),
    );
  if (definition !== undefined) return definition;
  throw new Error(
    `paramKind kind \`&ParamKind{APIVersion:${paramKind.apiVersion},Kind:${paramKind.kind},}\` not known`,
  );
}

function find(
  definition: ResourceDefinition,
  reference: ParamRef,
  request: AdmissionRequest,
  store: Store,
): readonly StoredObject[] {
  const namespace = namespaceFor(definition, reference, request);
  const resource = definition.storageResource;
  if (reference.name !== '') {
    const stored = store.get({ resource, namespace, name: reference.name });
    return stored === undefined ? [] : [stored];
  }
  const selector = labelSelectorFromObject(reference.selector);
  return store.list({ resource, namespace }).filter(({ object }) => selector.matches(object.metadata.labels));
}

function namespaceFor(definition: ResourceDefinition, reference: ParamRef, request: AdmissionRequest): string {
  if (!definition.namespaced) {
    if (reference.namespace === '') return '';
    throw new Error('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const namespace = reference.namespace || admissionNamespace(request);
  if (namespace !== '') return namespace;
  throw new Error('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
}

async function atVersion(
  definition: ResourceDefinition,
  version: string,
  found: readonly StoredObject[],
): Promise<readonly Frozen<KubeObject>[]> {
  const apiVersion = formatApiVersion({ group: definition.group, version });
  const objects = found.map(({ object }) => object);
  if (objects.every((object) => object.apiVersion === apiVersion)) return objects;
  return (await definition.convert(objects, version)) as readonly Frozen<KubeObject>[];
}
