import { defineKind, int32, integer, object, optional, refine, string, type ObjectOf } from '@slipway/kube/kit';
import { contractReference, nameReference, nameReferenceV1Beta1, poolReferenceV1Beta1 } from './shared/references.js';

const texts = {
  kind: 'IPAddress is an IP address that was allocated from a pool for an IPAddressClaim.',
  spec: 'spec is the allocated address. Immutable.',
  address: 'address is the IP address.',
  claimRef: 'claimRef refers to the IPAddressClaim that the address was allocated for.',
  gateway: 'gateway is the gateway of the network of the address.',
  poolRef: 'poolRef refers to the pool that the address was allocated from.',
  prefix: 'prefix is the length of the network prefix of the address.',
};

export const ipAddress = defineKind({
  group: 'ipam.cluster.x-k8s.io',
  kind: 'IPAddress',
  plural: 'ipaddresses',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: false,
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              address: string({ minLength: 1, maxLength: 39, description: texts.address }),
              claimRef: refine(nameReferenceV1Beta1, { description: texts.claimRef }),
              gateway: optional(string({ minLength: 1, maxLength: 39, description: texts.gateway })),
              poolRef: refine(poolReferenceV1Beta1, { description: texts.poolRef }),
              prefix: integer({ description: texts.prefix }),
            },
            { description: texts.spec },
          ),
        ),
      },
      columns: [
        { name: 'Address', type: 'string', jsonPath: '.spec.address' },
        { name: 'Pool Name', type: 'string', jsonPath: '.spec.poolRef.name' },
        { name: 'Pool Kind', type: 'string', jsonPath: '.spec.poolRef.kind' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              address: string({ minLength: 1, maxLength: 39, description: texts.address }),
              claimRef: refine(nameReferenceV1Beta1, { description: texts.claimRef }),
              gateway: optional(string({ minLength: 1, maxLength: 39, description: texts.gateway })),
              poolRef: refine(poolReferenceV1Beta1, { description: texts.poolRef }),
              prefix: integer({ description: texts.prefix }),
            },
            { description: texts.spec },
          ),
        ),
      },
      columns: [
        { name: 'Address', type: 'string', jsonPath: '.spec.address' },
        { name: 'Pool Name', type: 'string', jsonPath: '.spec.poolRef.name' },
        { name: 'Pool Kind', type: 'string', jsonPath: '.spec.poolRef.kind' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: object(
          {
            address: string({ minLength: 1, maxLength: 39, description: texts.address }),
            claimRef: refine(nameReference, { description: texts.claimRef }),
            gateway: optional(string({ minLength: 1, maxLength: 39, description: texts.gateway })),
            poolRef: refine(contractReference, { description: texts.poolRef }),
            prefix: int32({ minimum: 0, maximum: 128, description: texts.prefix }),
          },
          { description: texts.spec },
        ),
      },
      columns: [
        { name: 'Address', type: 'string', jsonPath: '.spec.address' },
        { name: 'Pool Name', type: 'string', jsonPath: '.spec.poolRef.name' },
        { name: 'Pool Kind', type: 'string', jsonPath: '.spec.poolRef.kind' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type IPAddress = ObjectOf<typeof ipAddress>;
