import type { Schema } from '../schema.js';

const text: Schema = { type: 'string' };
const texts: Schema = { type: 'object', additionalProperties: text };

/** The fields of ObjectMeta that pruning keeps, at the root and in embedded objects. */
export const objectMetaFields: Schema = {
  type: 'object',
  properties: {
    name: text,
    generateName: text,
    namespace: text,
    selfLink: text,
    uid: text,
    resourceVersion: text,
    generation: { type: 'integer' },
    creationTimestamp: text,
    deletionTimestamp: text,
    deletionGracePeriodSeconds: { type: 'integer' },
    labels: texts,
    annotations: texts,
    ownerReferences: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          apiVersion: text,
          kind: text,
          name: text,
          uid: text,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
      },
    },
    finalizers: { type: 'array', items: text },
    managedFields: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          manager: text,
          operation: text,
          apiVersion: text,
          time: text,
          fieldsType: text,
          fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          subresource: text,
        },
      },
    },
  },
};
