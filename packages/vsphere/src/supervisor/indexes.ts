import type { AnyIndex } from '@slipway/runtime';

/** Indexes objects by namespace. */
export const namespaceIndex: AnyIndex = {
  name: 'by namespace',
  valuesOf: (object) => [object.metadata.namespace ?? ''],
};
