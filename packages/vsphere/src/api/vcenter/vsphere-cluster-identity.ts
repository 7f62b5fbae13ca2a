import { boolean, defineKind, object, optional, refine, string, type ObjectOf } from '@slipway/kube/kit';
import {
  conditions,
  contractLabels,
  deprecatedConditions,
  labelSelector,
  v1beta1Conditions,
  v1beta2Conditions,
} from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';

const description = 'Credentials for a vCenter, shared by VSphereClusters in several namespaces.';
const specDescription = 'The Secret with the credentials, and the namespaces that may use it.';
const statusDescription = 'Observed state of the credentials.';
const secretNameDescription =
  'Name of a Secret with the keys username and password in the namespace of the controller manager. The Secret can have one owner only, and is deleted together with this object.';
const ready = boolean({ description: 'True if the Secret exists and belongs to this object.' });

const allowedNamespaces = optional(
  object(
    {
      selector: optional(
        refine(labelSelector, {
          description: 'Selects namespaces by their labels. An empty selector allows all namespaces.',
        }),
      ),
    },
    { description: 'Namespaces whose VSphereClusters may use the credentials. If not set, none may use them.' },
  ),
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
        spec: optional(
          object(
            {
              allowedNamespaces,
              secretName: optional(string({ minLength: 1, description: secretNameDescription })),
            },
            { description: specDescription },
          ),
        ),
        status: optional(
          object(
            {
              conditions: optional(v1beta1Conditions),
              ready: optional(ready),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: statusDescription },
          ),
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
        spec: object(
          { allowedNamespaces, secretName: text(253, secretNameDescription) },
          { description: specDescription },
        ),
        status: optional(
          object(
            {
              conditions: optional(
                refine(conditions, { description: 'Current state of the credentials. Types: Available and Paused.' }),
              ),
              deprecated: optional(deprecatedConditions),
              ready: optional(ready),
            },
            { minProperties: 1, description: statusDescription },
          ),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type VSphereClusterIdentity = ObjectOf<typeof vsphereClusterIdentity>;
