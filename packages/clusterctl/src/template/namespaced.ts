/** Kinds without a namespace among those that providers and templates bring; everything else is taken for namespaced. */
const clusterKinds: ReadonlySet<string> = new Set([
  'Namespace',
  'Node',
  'PersistentVolume',
  'PodSecurityPolicy',
  'CertificateSigningRequest',
  'ClusterRoleBinding',
  'ClusterRole',
  'VolumeAttachment',
  'StorageClass',
  'CSIDriver',
  'CSINode',
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'CustomResourceDefinition',
  'PriorityClass',
  'RuntimeClass',
]);

export function isNamespacedKind(kind: string): boolean {
  return !clusterKinds.has(kind);
}
