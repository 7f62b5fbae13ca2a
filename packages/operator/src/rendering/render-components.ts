import {
  ClusterctlError,
  type Lookup,
  MissingVariablesError,
  ownNamespace,
  parseObjects,
  placeObjects,
  processTemplate,
  withImages,
} from '@slipway/clusterctl';
import { type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import { ownerReference } from '@slipway/runtime';
import { type FrozenProvider, installReasons, nameOf } from '../api/index.js';
import { installError, type PhaseError } from '../phase-error.js';
import { customizeDeployments } from './customize-deployments.js';
import { CustomizationError } from './manager-arguments.js';
import { ManifestPatchError, patchObjects } from './patches.js';

export interface RenderInput {
  readonly alterImage: (image: string) => string;
  /** Whether a kind is namespaced. Undefined if the server does not serve it. */
  readonly isNamespaced: (object: KubeObject) => boolean | undefined;
}

/** Renders the components of a provider from its manifests and spec. Deterministic. */
export function renderComponents(
  provider: FrozenProvider,
  parsed: readonly KubeObject[],
  input: RenderInput,
): readonly KubeObject[] {
  const { name = '', namespace = '' } = provider.metadata;
  const spec = provider.spec ?? {};
  const isNamespaced = scopesOf(parsed, input.isNamespaced);
  const owner = ownerReference(provider);
  const placed = placeObjects(parsed, { name, type: provider.kind, namespace })
    // The Namespace is not installed: it belongs to the user and already contains the provider object.
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => (isNamespaced(object) ? owned(object, owner) : withoutNamespace(object)));
  const customized = attempt(installReasons.customization, () => customizeDeployments(placed, spec));
  const patched = attempt(installReasons.patch, () => patchObjects(customized, spec));
  return attempt(installReasons.image, () => patched.map((object) => withImages(object, input.alterImage)));
}

/** Parses a manifest and substitutes its variables. */
export function parseComponents(provider: FrozenProvider, text: string, lookup: Lookup): readonly KubeObject[] {
  return attempt(installReasons.fetch, () => {
    try {
      const objects = parseObjects(processTemplate(text, lookup));
      // Called to validate that there is at most one Namespace.
      ownNamespace(objects);
      return objects;
    } catch (error) {
      if (!(error instanceof MissingVariablesError)) throw error;
      throw missingVariables(provider, error);
    }
  });
}

function missingVariables(provider: FrozenProvider, { variables }: MissingVariablesError): PhaseError {
  const names = variables.join(', ');
  const secret = provider.spec?.configSecret;
  const remedy =
    secret === undefined
      ? 'put them into a Secret and refer to it in spec.configSecret'
      : `add them to Secret ${secret.namespace ?? provider.metadata.namespace ?? ''}/${secret.name}`;
  const message = `value for variables [${names}] is not set for ${nameOf(provider)}`;
  return installError(installReasons.fetch, message, { retry: 'onChange', remedy });
}

/** Converts errors of rendering to PhaseErrors that are not retried, because only a change by the user can fix them. */
function attempt<T>(reason: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    const isKnown = [CustomizationError, ManifestPatchError, ClusterctlError].some((known) => error instanceof known);
    if (!isKnown || !(error instanceof Error)) throw error;
    throw installError(reason, error.message, { retry: 'onChange', cause: error });
  }
}

function owned(object: KubeObject, owner: OwnerReference): KubeObject {
  return { ...object, metadata: { ...object.metadata, ownerReferences: [owner] } };
}

/**
 * Removes the namespace of a cluster-scoped object. It gets no owner reference either: the garbage collector deletes
 * cluster-scoped objects with a namespaced owner.
 */
function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace: _namespace, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Returns the scope of each kind: from CRDs in the manifest, then from discovery, then from whether its objects have a namespace
 * in the manifest.
 */
function scopesOf(
  objects: readonly KubeObject[],
  served: RenderInput['isNamespaced'],
): (object: KubeObject) => boolean {
  const defined = new Map<string, boolean>();
  for (const object of objects) {
    if (object.kind !== 'CustomResourceDefinition') continue;
    const { group, names, scope } = object['spec'] as { group: string; names: { kind: string }; scope: string };
    defined.set(`${names.kind}.${group}`, scope === 'Namespaced');
  }
  return (object) =>
    defined.get(`${object.kind}.${parseApiVersion(object.apiVersion).group}`) ??
    served(object) ??
    object.metadata.namespace !== undefined;
}
