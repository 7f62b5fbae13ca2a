/** What a provider's definitions say of themselves: which of their versions fulfils which contract of Cluster API. */
export const contractLabels = {
  'cluster.x-k8s.io/v1beta1': 'v1beta1',
  'cluster.x-k8s.io/v1beta2': 'v1beta2',
} as const;
