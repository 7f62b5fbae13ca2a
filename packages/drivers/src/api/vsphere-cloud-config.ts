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
  string,
} from '@slipway/kube/kit';
import { ageColumn, readyColumn } from './columns.js';
import { group } from './names.js';

const thumbprintPattern = '^([0-9A-Fa-f]{2}:){19}([0-9A-Fa-f]{2}:){0,12}[0-9A-Fa-f]{2}$';
/** A comma would end the name where a driver reads a list. */
const inventoryNames = atomicList(string({ minLength: 1, maxLength: 512, pattern: '^[^,]+$' }), { maxItems: 128 });

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
      description: 'A connection to a vCenter: where it is, why it is trusted, and which Secret holds the account.',
      columns: [
        { name: 'Server', type: 'string', jsonPath: '.spec.vcIp' },
        { name: 'User', type: 'string', jsonPath: '.status.user' },
        { name: 'Version', type: 'string', jsonPath: '.status.apiVersion' },
        readyColumn,
        { name: 'Reason', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
        ageColumn,
      ],
      schema: {
        spec: optional(
          object({
            vcIp: string({ minLength: 1, maxLength: 253, pattern: '^[0-9A-Za-z.:_-]+$' }),
            port: optional(int32({ minimum: 1, maximum: 65_535 })),
            insecure: boolean({ description: 'Any certificate will do.' }),
            credentials: string({ minLength: 1, maxLength: 253 }),
            credentialsNamespace: optional(string({ minLength: 1, maxLength: 63 })),
            thumbprint: optional(
              string({ pattern: thumbprintPattern, description: 'SHA-1 or SHA-256, as pairs with colons.' }),
            ),
            caBundle: optional(string({ description: 'Certificates of authorities in PEM.' })),
            caBundleRef: optional(
              object(
                { name: string({ minLength: 1 }), key: optional(string({ minLength: 1 })) },
                {
                  description: 'A ConfigMap beside this object that holds them.',
                },
              ),
            ),
            datacenters: inventoryNames,
            datastores: optional(inventoryNames),
            clusters: optional(inventoryNames),
            folders: optional(inventoryNames),
          }),
        ),
        status: optional(
          object({
            config: enumeration(['verified', 'failed']),
            message: optional(string()),
            observedGeneration: optional(int64()),
            conditions: optional(conditions),
            apiVersion: optional(string()),
            version: optional(string()),
            build: optional(string()),
            instanceUuid: optional(string()),
            user: optional(string()),
            certificate: optional(object({ sha1: string(), sha256: string(), notAfter: string() })),
            missingPrivileges: optional(
              atomicList(object({ entity: string(), privilege: string() }), { maxItems: 256 }),
            ),
            lastCheckTime: optional(dateTime()),
            lastSuccessTime: optional(dateTime()),
            observedSecretResourceVersion: optional(string()),
            loginFailures: optional(int32()),
            lastSeenRetry: optional(string()),
          }),
        ),
      },
      subresources: { status: true },
    },
  ],
});

export type VsphereCloudConfig = ObjectOf<typeof vsphereCloudConfig>;
