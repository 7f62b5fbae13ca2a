import type { PrinterColumn } from '@slipway/kube/kit';

export const ageColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
} as const satisfies PrinterColumn;

export const readyColumn = {
  name: 'Ready',
  type: 'string',
  jsonPath: '.status.conditions[?(@.type=="Ready")].status',
} as const satisfies PrinterColumn;
