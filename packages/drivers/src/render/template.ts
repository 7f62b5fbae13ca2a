import { type JsonObject, type JsonValue, type KubeObject, parseYamlDocuments } from '@slipway/kube';
import { DriverError } from '../api/index.js';

/** Parses a manifest. Lists are expanded, and objects are not sorted. */
export function parseTemplate(text: string, source: string): KubeObject[] {
  let documents: readonly { readonly value: JsonValue }[];
  try {
    documents = parseYamlDocuments(text);
  } catch (error) {
    throw new DriverError(
      'TemplateInvalid',
      `${source} is not valid YAML: ${(error as Error).message.split('\n', 1)[0] ?? ''}`,
    );
  }
  const objects = documents.flatMap(({ value }) => opened(value));
  if (objects.length === 0) throw new DriverError('TemplateInvalid', `${source} contains no objects`);
  return objects.map((value, place) => checked(value, `object ${place + 1} of ${source}`));
}

function opened(value: JsonValue): JsonValue[] {
  if (!isObject(value) || value['kind'] !== 'List') return [value];
  const { items } = value;
  return Array.isArray(items) ? (items as JsonValue[]).flatMap(opened) : [];
}

function checked(value: JsonValue, where: string): KubeObject {
  if (!isObject(value))
    throw new DriverError('TemplateInvalid', `${where} is not an object; check whether a proxy returned an HTML page`);
  const { apiVersion, kind, metadata } = value;
  const name = isObject(metadata) ? metadata['name'] : undefined;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string')
    throw new DriverError('TemplateInvalid', `${where} has no apiVersion, kind or metadata.name`);
  return value as unknown as KubeObject;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Order in which kinds are applied: dependencies first, webhooks last. */
const order = [
  'Namespace',
  'CustomResourceDefinition',
  'ServiceAccount',
  'ClusterRole',
  'Role',
  'ClusterRoleBinding',
  'RoleBinding',
  'ConfigMap',
  'Secret',
  'Service',
  'CSIDriver',
  'DaemonSet',
  'Deployment',
  'ValidatingWebhookConfiguration',
];

export function inOrder(objects: readonly KubeObject[]): KubeObject[] {
  const place = ({ kind }: KubeObject): number => {
    const found = order.indexOf(kind);
    return found < 0 ? order.indexOf('CSIDriver') : found;
  };
  return [...objects].sort((left, right) => place(left) - place(right));
}

const clusterKinds = new Set([
  'Namespace',
  'CustomResourceDefinition',
  'ClusterRole',
  'ClusterRoleBinding',
  'CSIDriver',
  'StorageClass',
  'PriorityClass',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'VolumeSnapshotClass',
]);

export function isClusterScoped({ kind }: { readonly kind: string }): boolean {
  return clusterKinds.has(kind);
}

export function setNamespace(object: KubeObject, namespace: string): void {
  if (!isClusterScoped(object)) object.metadata.namespace ??= namespace;
}
