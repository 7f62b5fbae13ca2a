/** Contract labels of a provider's CRDs: which of their versions implements which Cluster API contract. */
export const contractLabels = {
  'cluster.x-k8s.io/v1beta1': 'v1beta1',
  'cluster.x-k8s.io/v1beta2': 'v1beta2',
} as const;
