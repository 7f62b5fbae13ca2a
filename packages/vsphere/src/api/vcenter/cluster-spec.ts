import { atomicList, boolean, enumeration, int32, list, object, optional, string } from '@slipway/kube/kit';
import { controlPlaneEndpoint, labelSelector } from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';

const description = 'Which vCenter the cluster is in, and with which credentials it is reached.';
const identityKinds = ['VSphereClusterIdentity', 'Secret'] as const;

export const vsphereClusterSpec = object(
  {
    clusterModules: optional(
      atomicList(
        object({
          controlPlane: boolean(),
          moduleUUID: text(2048),
          targetObjectName: text(253),
        }),
        { maxItems: 512 },
      ),
    ),
    controlPlaneEndpoint: optional(controlPlaneEndpoint),
    disableClusterModule: optional(boolean()),
    failureDomainSelector: optional(labelSelector),
    identityRef: optional(object({ kind: enumeration(identityKinds), name: text(253) })),
    server: text(1024),
    thumbprint: optional(text(1024)),
  },
  { description },
);

export const vsphereClusterSpecV1Beta1 = object(
  {
    clusterModules: optional(
      list(
        object({
          controlPlane: boolean(),
          moduleUUID: string(),
          targetObjectName: string(),
        }),
      ),
    ),
    controlPlaneEndpoint: optional(object({ host: optional(string()), port: optional(int32()) })),
    disableClusterModule: optional(boolean()),
    failureDomainSelector: optional(labelSelector),
    identityRef: optional(object({ kind: enumeration(identityKinds), name: string({ minLength: 1 }) })),
    server: optional(string()),
    thumbprint: optional(string()),
  },
  { description },
);
