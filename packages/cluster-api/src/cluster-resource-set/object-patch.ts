import { createMergePatch, type Frozen, type JsonObject, type JsonValue, type KubeObject } from '@slipway/kube';

/**
 * Returns the merge patch that makes an object of a workload cluster equal to the payload. Fields that are not in the payload
 * are removed, except those managed by the server and its controllers. Undefined when nothing differs.
 */
export function planObjectPatch(current: Frozen<KubeObject>, desired: KubeObject): JsonObject | undefined {
  const before = current as unknown as JsonObject;
  const after = { ...keepOwned(before, desired as unknown as JsonObject), metadata: metadataOf(before, desired) };
  const patch = createMergePatch(before, after);
  return Object.keys(patch).length === 0 ? undefined : patch;
}

const ownMetadata = ['labels', 'annotations'] as const;
const othersMetadata = ['finalizers', 'ownerReferences'] as const;

/**
 * Returns the desired metadata. Labels and annotations equal those of the payload. Finalizers and owner references that the
 * payload does not set are kept.
 */
function metadataOf(before: JsonObject, desired: KubeObject): JsonObject {
  const now = asObject(before['metadata']);
  const given = desired.metadata as unknown as JsonObject;
  const { labels: _labels, annotations: _annotations, ...kept } = now;
  const present = [...ownMetadata, ...othersMetadata].filter((name) => given[name] !== undefined);
  return { ...kept, ...Object.fromEntries(present.map((name) => [name, given[name] as JsonValue])) };
}

/**
 * Fields that the workload cluster sets, by kind. For example, removing the `secrets` of a ServiceAccount would create new tokens
 * on every apply.
 */
const filledIn: Readonly<Record<string, readonly (readonly string[])[]>> = {
  ServiceAccount: [['secrets'], ['imagePullSecrets']],
  Namespace: [['spec']],
  Service: [
    ['spec', 'clusterIP'],
    ['spec', 'clusterIPs'],
    ['spec', 'ipFamilies'],
    ['spec', 'ipFamilyPolicy'],
    ['spec', 'healthCheckNodePort'],
  ],
  PersistentVolumeClaim: [['spec', 'volumeName']],
  PersistentVolume: [['spec', 'claimRef']],
};
const tokenSecretType = 'kubernetes.io/service-account-token';

function keepOwned(before: JsonObject, desired: JsonObject): JsonObject {
  let after: JsonObject = { ...desired, ...(before['status'] !== undefined && { status: before['status'] }) };
  const kind = typeof before['kind'] === 'string' ? before['kind'] : '';
  const paths = [...(filledIn[kind] ?? []), ...(isTokenSecret(before) ? [['data']] : [])];
  for (const path of paths) after = keepAt(before, after, path);
  return after;
}

function isTokenSecret(object: JsonObject): boolean {
  return object['kind'] === 'Secret' && object['type'] === tokenSecretType;
}

function keepAt(before: JsonObject, after: JsonObject, path: readonly string[]): JsonObject {
  const [step = '', ...rest] = path;
  const there = before[step];
  if (there === undefined) return after;
  if (rest.length === 0) return after[step] === undefined ? { ...after, [step]: there } : after;
  return { ...after, [step]: keepAt(asObject(there), asObject(after[step]), rest) };
}

function asObject(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
