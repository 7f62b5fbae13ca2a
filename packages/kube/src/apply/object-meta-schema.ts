import type { Schema } from '../schema/index.js';

const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const integer: Schema = { type: 'integer', format: 'int64' };
const textMap: Schema = { type: 'object', additionalProperties: text };

/**
 * The schema of metadata for field ownership, for every kind and for embedded resources. A custom resource's own schema of
 * metadata only restricts values.
 */
export const objectMetaSchema: Schema = {
  type: 'object',
  properties: {
    annotations: textMap,
    creationTimestamp: time,
    deletionGracePeriodSeconds: integer,
    deletionTimestamp: time,
    finalizers: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    generateName: text,
    generation: integer,
    labels: textMap,
    managedFields: { type: 'array', items: { type: 'object' }, 'x-kubernetes-list-type': 'atomic' },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: text,
          blockOwnerDeletion: { type: 'boolean' },
          controller: { type: 'boolean' },
          kind: text,
          name: text,
          uid: text,
        },
      },
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};

export const typeMetaSchemas: Readonly<Record<string, Schema>> = { apiVersion: text, kind: text };
