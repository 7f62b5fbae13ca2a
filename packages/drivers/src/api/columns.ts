import type { PrinterColumn } from '@slipway/kube/kit';

export { ageColumn } from '@slipway/cluster-api/schemas';

export const readyColumn = {
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
} as const satisfies PrinterColumn;
