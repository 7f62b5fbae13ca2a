import {
  applyJsonPatch,
  applyMergePatch,
  asJson,
  asObject,
  cloneJson,
  decodeJsonPatch,
  decodeMergePatch,
  type Frozen,
  type JsonObject,
  type KubeObject,
  type MutableJsonObject,
  parseApiVersion,
  parseLabelSelector,
  parseYamlValue,
} from '@slipway/kube';
import type { PatchSpec, ProviderSpec } from '../api/index.js';

/** A patch is invalid or does not apply to its object. */
export class ManifestPatchError extends Error {
  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`);
    this.name = 'ManifestPatchError';
  }
}

type Patcher = (object: KubeObject) => KubeObject;

/** Applies the user's patches, after all other customizations except images. */
export function patchObjects(objects: readonly KubeObject[], spec: Frozen<ProviderSpec>): readonly KubeObject[] {
  const { manifestPatches = [], patches = [] } = spec;
  if (manifestPatches.length > 0 && patches.length > 0)
    throw new ManifestPatchError('spec', 'only one of patches and manifestPatches can be set');
  const patchers = [
    ...manifestPatches.map((text, index) => manifestPatcher(text, `spec.manifestPatches[${index}]`)),
    ...patches.map((patch, index) => targetedPatcher(patch, `spec.patches[${index}]`)),
  ];
  return objects.map((object) => patchers.reduce((patched, patch) => patch(patched), object));
}

/** Parses a merge patch. It selects objects by kind and, if set, apiVersion, name and namespace. */
function manifestPatcher(text: string, field: string): Patcher {
  const patch = readYaml(text, field);
  if (!isObject(patch)) throw new ManifestPatchError(field, 'must be a YAML mapping');
  const { apiVersion, kind, metadata } = patch as Partial<KubeObject>;
  if (kind === undefined) throw new ManifestPatchError(field, 'kind is required: it selects the objects to patch');
  const merge = merger(patch, field);
  const fits = (object: KubeObject): boolean =>
    object.kind === kind &&
    (apiVersion === undefined || object.apiVersion === apiVersion) &&
    (metadata?.name === undefined || object.metadata.name === metadata.name) &&
    (metadata?.namespace === undefined || object.metadata.namespace === metadata.namespace);
  return (object) => (fits(object) ? merge(object) : object);
}

function targetedPatcher({ patch: text = '', target }: Frozen<PatchSpec>, field: string): Patcher {
  const patch = readYaml(text, `${field}.patch`);
  const change = Array.isArray(patch) ? operations(patch, field) : merger(patch, field);
  const fits = targetMatcher(target, field);
  return (object) => (fits(object) ? change(object) : object);
}

function targetMatcher(target: Frozen<PatchSpec>['target'], field: string): (object: KubeObject) => boolean {
  if (target === undefined) return () => true;
  const { group, version, kind, name, namespace, labelSelector } = target;
  const selector = readSelector(labelSelector, field);
  return ({ apiVersion, kind: ownKind, metadata }) => {
    const own = parseApiVersion(apiVersion);
    const given: readonly (readonly [string | undefined, string | undefined])[] = [
      [group, own.group],
      [version, own.version],
      [kind, ownKind],
      [name, metadata.name],
      [namespace, metadata.namespace],
    ];
    return (
      given.every(([desired = '', actual]) => desired === '' || desired === actual) &&
      (selector === undefined || selector.matches(metadata.labels))
    );
  };
}

function readSelector(text: string | undefined, field: string): ReturnType<typeof parseLabelSelector> | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new ManifestPatchError(`${field}.target.labelSelector`, (error as Error).message);
  }
}

function readYaml(text: string, field: string): unknown {
  try {
    return parseYamlValue(text);
  } catch (error) {
    throw new ManifestPatchError(field, (error as Error).message);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a JSON merge patch (RFC 7396). Lists are replaced as a whole, including containers. */
function merger(value: unknown, field: string): Patcher {
  if (!isObject(value)) throw new ManifestPatchError(field, 'the patch is neither a list nor a mapping');
  const patch = decode(field, () => decodeMergePatch(value));
  return (object) => attempt(field, object, () => applyMergePatch(asJson(cloneJson(object) as KubeObject), patch));
}

/** Returns a JSON patch (RFC 6902). */
function operations(value: readonly unknown[], field: string): Patcher {
  const patch = decode(field, () => decodeJsonPatch(value));
  return (object) => attempt(field, object, () => applyJsonPatch(asJson(cloneJson(object) as KubeObject), patch));
}

function decode<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ManifestPatchError(field, (error as Error).message);
  }
}

function attempt(field: string, object: KubeObject, apply: () => unknown): KubeObject {
  try {
    return asObject(apply() as MutableJsonObject);
  } catch (error) {
    throw new ManifestPatchError(
      field,
      `it does not apply to ${object.kind} ${object.metadata.name ?? ''}: ${(error as Error).message}`,
    );
  }
}
