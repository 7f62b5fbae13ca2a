import type { AnyIndex } from '@slipway/runtime';

/** Objects by their namespace. */
export const namespaceIndex: AnyIndex = {
  name: 'namespace',
  valuesOf: (object) => [object.metadata.namespace ?? ''],
};
