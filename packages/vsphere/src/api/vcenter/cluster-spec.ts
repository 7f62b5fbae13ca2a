import { atomicList, boolean, enumeration, int32, list, object, optional, string } from '@slipway/kube/kit';
import { controlPlaneEndpoint, labelSelector } from '@slipway/cluster-api/schemas';
import { text } from '../shared/limits.js';
import { withDescriptions } from '../shared/with-descriptions.js';

const description =
  'Desired state of the cluster: its vCenter, the credentials for it and the endpoint of the control plane.';
const identityKinds = ['VSphereClusterIdentity', 'Secret'] as const;

const descriptions = {
  clusterModules:
    'vCenter cluster modules that keep the virtual machines of the control plane and of each MachineDeployment on different hosts. The controller writes this list when the feature gate NodeAntiAffinity is enabled.',
  controlPlaneEndpoint:
    'Host and port of the API server of the workload cluster. Set by the user, because the provider does not allocate an address in vCenter mode. Cluster API copies it to the Cluster.',
  disableClusterModule:
    'Do not create cluster modules for this cluster even if the feature gate NodeAntiAffinity is enabled. Defaults to false.',
  failureDomainSelector:
    'Selects the VSphereDeploymentZones that this cluster uses as failure domains, among those with the same server. An empty selector selects all of them. Without a selector, the cluster has no failure domains.',
  identityRef:
    "Credentials for vCenter: a Secret or a VSphereClusterIdentity. If not set, the controller manager's own credentials are used.",
  server:
    'Host name, host:port or URL of the vCenter. A VSphereDeploymentZone or a template matches this cluster only if its server is the same string.',
  thumbprint:
    "SHA-1 or SHA-256 fingerprint of vCenter's TLS certificate, as hexadecimal pairs separated by colons. It is compared if the certificate chain does not verify. If not set, the certificate is not verified at all.",
} as const;

const clusterModuleDescriptions = {
  controlPlane: 'True if the module is for the control plane, false if it is for a MachineDeployment.',
  moduleUUID: 'Identifier of the cluster module in vCenter.',
  targetObjectName: 'Name of the control plane object or MachineDeployment whose virtual machines are in the module.',
} as const;

const identityDescriptions = {
  kind: 'Secret for a Secret with the keys username and password in the namespace of the cluster, or VSphereClusterIdentity for credentials that several namespaces share.',
  name: 'Name of the Secret or VSphereClusterIdentity.',
} as const;

const endpointDescriptions = {
  host: 'IP address or DNS name of the API server of the workload cluster.',
  port: 'TCP port of the API server of the workload cluster.',
} as const;

export const vsphereClusterSpec = object(
  withDescriptions(
    {
      clusterModules: optional(
        atomicList(
          object(
            withDescriptions(
              { controlPlane: boolean(), moduleUUID: text(2048), targetObjectName: text(253) },
              clusterModuleDescriptions,
            ),
          ),
          { maxItems: 512 },
        ),
      ),
      controlPlaneEndpoint: optional(controlPlaneEndpoint),
      disableClusterModule: optional(boolean()),
      failureDomainSelector: optional(labelSelector),
      identityRef: optional(
        object(withDescriptions({ kind: enumeration(identityKinds), name: text(253) }, identityDescriptions)),
      ),
      server: text(1024),
      thumbprint: optional(text(1024)),
    },
    descriptions,
  ),
  { description },
);

export const vsphereClusterSpecV1Beta1 = object(
  withDescriptions(
    {
      clusterModules: optional(
        list(
          object(
            withDescriptions(
              { controlPlane: boolean(), moduleUUID: string(), targetObjectName: string() },
              clusterModuleDescriptions,
            ),
          ),
        ),
      ),
      controlPlaneEndpoint: optional(
        object(withDescriptions({ host: optional(string()), port: optional(int32()) }, endpointDescriptions)),
      ),
      disableClusterModule: optional(boolean()),
      failureDomainSelector: optional(labelSelector),
      identityRef: optional(
        object(
          withDescriptions({ kind: enumeration(identityKinds), name: string({ minLength: 1 }) }, identityDescriptions),
        ),
      ),
      server: optional(string()),
      thumbprint: optional(string()),
    },
    descriptions,
  ),
  { description },
);
