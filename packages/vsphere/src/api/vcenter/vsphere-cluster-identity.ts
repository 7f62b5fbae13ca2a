import { boolean, defineKind, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedConditions,
  labelSelector,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';

const description = 'Credentials of a vCenter that clusters of several namespaces share.';

const allowedNamespaces = optional(
  object({
    selector: optional(labelSelector),
  }),
);

export const vsphereClusterIdentity = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereClusterIdentity',
  plural: 'vsphereclusteridentities',
  categories: ['cluster-api'],
  scope: 'Cluster',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(object({ allowedNamespaces, secretName: optional(string({ minLength: 1 })) })),
        status: optional(
          object({
            conditions: optional(v1beta1Conditions),
            ready: optional(boolean()),
            v1beta2: optional(v1beta2Conditions),
          }),
        ),
      },
      subresources: { status: true },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: object({ allowedNamespaces, secretName: text(253) }),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              ready: optional(boolean()),
            },
            { minProperties: 1 },
          ),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type VSphereClusterIdentity = ObjectOf<typeof vsphereClusterIdentity>;
export type VSphereClusterIdentityV1Beta1 = ObjectOf<typeof vsphereClusterIdentity, 'v1beta1'>;
