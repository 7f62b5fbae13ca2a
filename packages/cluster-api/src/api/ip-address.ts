import { defineKind, int32, integer, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import { contractReference, nameReference, nameReferenceV1Beta1, poolReferenceV1Beta1 } from './shared/references.js';

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
      description: 'An address given out of a pool.',
      schema: {
        spec: optional(
          object({
            address: string({ minLength: 1, maxLength: 39 }),
            claimRef: nameReferenceV1Beta1,
            gateway: optional(string({ minLength: 1, maxLength: 39 })),
            poolRef: poolReferenceV1Beta1,
            prefix: integer(),
          }),
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
      description: 'An address given out of a pool.',
      schema: {
        spec: optional(
          object({
            address: string({ minLength: 1, maxLength: 39 }),
            claimRef: nameReferenceV1Beta1,
            gateway: optional(string({ minLength: 1, maxLength: 39 })),
            poolRef: poolReferenceV1Beta1,
            prefix: integer(),
          }),
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
      description: 'An address given out of a pool.',
      schema: {
        spec: object({
          address: string({ minLength: 1, maxLength: 39 }),
          claimRef: nameReference,
          gateway: optional(string({ minLength: 1, maxLength: 39 })),
          poolRef: contractReference,
          prefix: int32({ minimum: 0, maximum: 128 }),
        }),
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
export type IPAddressV1Beta1 = ObjectOf<typeof ipAddress, 'v1beta1'>;
