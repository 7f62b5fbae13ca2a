import { conditions } from '@slipway/cluster-api/schemas';
import {
  atomicList,
  boolean,
  dateTime,
  defineKind,
  enumeration,
  int32,
  int64,
  object,
  type ObjectOf,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { ageColumn, readyColumn } from './columns.js';
import { group } from './names.js';

const thumbprintPattern = '^([0-9A-Fa-f]{2}:){19}([0-9A-Fa-f]{2}:){0,12}[0-9A-Fa-f]{2}$';
/** Returns the schema of a list of inventory names, which the drivers read as one comma-separated string. */
const inventoryNames = (description: string) =>
  atomicList(string({ minLength: 1, maxLength: 512, pattern: '^[^,]+$' }), { maxItems: 128, description });

const spec = object(
  {
    vcIp: string({
      minLength: 1,
      maxLength: 253,
      pattern: '^[0-9A-Za-z.:_-]+$',
      description: 'IP address or DNS name of the vCenter. An IPv6 address is written without brackets.',
    }),
    port: optional(int32({ minimum: 1, maximum: 65_535, description: 'TCP port of the vCenter. Defaults to 443.' })),
    insecure: boolean({
      description:
        "Do not verify vCenter's TLS certificate. If true, thumbprint, caBundle and caBundleRef must not be set.",
    }),
    credentials: string({
      minLength: 1,
      maxLength: 253,
      description:
        'Name of a Secret with the keys username and password. A change of the Secret is applied to the drivers.',
    }),
    credentialsNamespace: optional(
      string({
        minLength: 1,
        maxLength: 63,
        description:
          'Namespace of the Secret. If not set, the namespace of the operator is searched first, and kube-system second.',
      }),
    ),
    thumbprint: optional(
      string({
        pattern: thumbprintPattern,
        description:
          "SHA-1 or SHA-256 fingerprint of vCenter's TLS certificate, as hexadecimal pairs separated by colons. A certificate that does not verify is accepted if it has this fingerprint.",
      }),
    ),
    caBundle: optional(
      string({ description: "CA certificates in PEM that vCenter's TLS certificate is verified with." }),
    ),
    caBundleRef: optional(
      object(
        {
          name: string({ minLength: 1, description: 'Name of the ConfigMap.' }),
          key: optional(
            string({ minLength: 1, description: 'Key of the CA certificates in the ConfigMap. Defaults to ca.crt.' }),
          ),
        },
        {
          description:
            'ConfigMap with the CA certificates in PEM, in the namespace of this object. Takes precedence over caBundle.',
        },
      ),
    ),
    datacenters: inventoryNames(
      'Names or inventory paths of the datacenters that the drivers use. If the list is reduced, virtual machines of nodes in the other datacenters are no longer found.',
    ),
    datastores: optional(
      inventoryNames('Names or inventory paths of datastores. The operator checks that they exist and can be used.'),
    ),
    clusters: optional(
      inventoryNames(
        'Names or inventory paths of compute clusters. The operator checks that they exist and can be used.',
      ),
    ),
    folders: optional(
      inventoryNames('Names or inventory paths of folders. The operator checks that they exist and can be used.'),
    ),
  },
  { description: 'Address, trust and credentials of the vCenter.' },
);

const status = object(
  {
    config: enumeration(['verified', 'failed'], { description: 'Result of the last check.' }),
    message: optional(string({ description: 'Why the last check failed, and what to do.' })),
    observedGeneration: optional(int64({ description: 'Generation of the spec that the status was computed from.' })),
    conditions: optional(
      refine(conditions, {
        description:
          'Result of each step of the last check. Types: Ready, Reachable, TLSTrusted, Authenticated, ResourcesFound and Authorized.',
      }),
    ),
    apiVersion: optional(
      string({
        description: 'API version of the vCenter. The operator chooses driver versions that are compatible with it.',
      }),
    ),
    version: optional(string({ description: 'Product version of the vCenter.' })),
    build: optional(string({ description: 'Build number of the vCenter.' })),
    instanceUuid: optional(string({ description: 'Unique ID of the vCenter.' })),
    user: optional(string({ description: 'User of the account in the Secret.' })),
    certificate: optional(
      object(
        {
          sha1: string({ description: 'SHA-1 fingerprint of the certificate.' }),
          sha256: string({ description: 'SHA-256 fingerprint of the certificate.' }),
          notAfter: string({ description: 'When the certificate expires.' }),
        },
        { description: 'TLS certificate that the vCenter presented.' },
      ),
    ),
    missingPrivileges: optional(
      atomicList(
        object({
          entity: string({ description: 'Inventory object on which the privilege is missing.' }),
          privilege: string({ description: 'ID of the privilege, such as Datastore.FileManagement.' }),
        }),
        { maxItems: 256, description: 'Privileges that the drivers require and the account does not have.' },
      ),
    ),
    lastCheckTime: optional(
      dateTime({ description: 'When the connection was last checked. Updated every 15 minutes if nothing changes.' }),
    ),
    lastSuccessTime: optional(dateTime({ description: 'When the last successful check took place.' })),
    observedSecretResourceVersion: optional(
      string({ description: 'UID and resource version of the Secret in the last check.' }),
    ),
    loginFailures: optional(
      int32({
        description:
          'Number of consecutive logins that the vCenter rejected with the same Secret. The operator waits longer after each, so that the account is not locked.',
      }),
    ),
    lastSeenRetry: optional(
      string({
        description: 'Value of the annotation vdo.vmware.com/retry in the last check. A new value starts a check.',
      }),
    ),
  },
  { description: 'Result of the last check of the connection.' },
);

export const vsphereCloudConfig = defineKind({
  group,
  kind: 'VsphereCloudConfig',
  plural: 'vspherecloudconfigs',
  shortNames: ['vsphereconnection'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha1',
      served: true,
      storage: true,
      description:
        'VsphereCloudConfig is a connection of the drivers to a vCenter: its address, how its TLS certificate is verified, and the Secret with the account. The operator checks it at regular intervals.',
      columns: [
        { name: 'Server', type: 'string', jsonPath: '.spec.vcIp' },
        { name: 'User', type: 'string', jsonPath: '.status.user' },
        { name: 'Version', type: 'string', jsonPath: '.status.apiVersion' },
        readyColumn,
        { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
        ageColumn,
      ],
      schema: {
        spec: optional(spec),
        status: optional(status),
      },
      subresources: { status: true },
    },
  ],
});

export type VsphereCloudConfig = ObjectOf<typeof vsphereCloudConfig>;
