/** Cluster-scoped kinds in provider components and templates. All other kinds count as namespaced. */
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
