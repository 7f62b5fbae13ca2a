import type { PrinterColumn } from '@slipway/kube/kit';

export const ageColumn = {
  name: 'Age',
  type: 'date',
  jsonPath: '.metadata.creationTimestamp',
} as const satisfies PrinterColumn;
