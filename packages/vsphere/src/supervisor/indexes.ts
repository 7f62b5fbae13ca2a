import type { AnyIndex } from '@slipway/runtime';

/** Objects by their namespace. */
export const namespaceIndex: AnyIndex = {
  name: 'by namespace',
  valuesOf: (object) => [object.metadata.namespace ?? ''],
};
