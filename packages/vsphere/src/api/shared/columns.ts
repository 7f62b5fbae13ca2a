import type { PrinterColumn } from '@slipway/kube/kit';

export { ageColumn } from '@slipway/cluster-api/schemas';

export const clusterColumn = {
  name: 'Cluster',
  type: 'string',
  jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",
} as const satisfies PrinterColumn;

export const pausedColumn = {
  name: 'Paused',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Paused")].status',
  priority: 10,
} as const satisfies PrinterColumn;

export const provisionedColumn = {
  name: 'Provisioned',
  type: 'string',
  jsonPath: '.status.initialization.provisioned',
} as const satisfies PrinterColumn;

export const clusterClassColumn = {
  name: 'ClusterClass',
  type: 'string',
  jsonPath: '.metadata.ownerReferences[?(@.kind=="ClusterClass")].name',
} as const satisfies PrinterColumn;

export const ownerClusterColumn = {
  name: 'Cluster',
  type: 'string',
  jsonPath: '.metadata.ownerReferences[?(@.kind=="Cluster")].name',
} as const satisfies PrinterColumn;
