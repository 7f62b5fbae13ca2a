import {
  atomicList,
  boolean,
  dateTime,
  defineKind,
  enumeration,
  int32,
  int64,
  intOrString,
  list,
  mapList,
  object,
  type ObjectOf,
  optional,
  string,
} from '@slipway/kube/kit';
import { conditions, labelSelector } from '@slipway/cluster-api/schemas';
import { vmOperatorGroup, vmOperatorVersionsOf } from './versions.js';

const affinityTerms = optional(atomicList(object({ labelSelector: optional(labelSelector), topologyKey: string() })));

const affinity = object({
  preferredDuringSchedulingPreferredDuringExecution: affinityTerms,
  requiredDuringSchedulingPreferredDuringExecution: affinityTerms,
});

const networkSpec = object(
  {
    interfaces: optional(
      mapList(
        object(
          {
            gateway4: optional(string()),
            gateway6: optional(string()),
            ipamModes: optional(list(string())),
            mtu: optional(int64()),
            name: string(),
            network: optional(object({ apiVersion: optional(string()), kind: optional(string()), name: string() })),
            routes: optional(list(object({ metric: optional(int32()), to: string(), via: string() }))),
          },
          { preserveUnknownFields: true },
        ),
        ['name'],
      ),
    ),
    vlans: optional(mapList(object({ id: int64(), link: string(), name: string() }), ['name'])),
  },
  { preserveUnknownFields: true },
);

const dhcpFamily = optional(
  object({
    config: optional(list(object({ key: string(), value: optional(string()) }))),
    enabled: optional(boolean()),
  }),
);

const interfaceStatus = object(
  {
    deviceKey: optional(int32()),
    dns: optional(
      object({
        dhcp: optional(boolean()),
        domainName: optional(string()),
        hostName: optional(string()),
        nameservers: optional(list(string())),
        searchDomains: optional(list(string())),
      }),
    ),
    ip: optional(
      object({
        addresses: optional(
          list(
            object({
              address: optional(string()),
              lifetime: optional(dateTime()),
              origin: optional(enumeration(['dhcp', 'linklayer', 'manual', 'other', 'random'])),
              state: optional(
                enumeration([
                  'deprecated',
                  'duplicate',
                  'inaccessible',
                  'invalid',
                  'preferred',
                  'tentative',
                  'unknown',
                ]),
              ),
            }),
          ),
        ),
        autoConfigurationEnabled: optional(boolean()),
        dhcp: optional(object({ ip4: dhcpFamily, ip6: dhcpFamily })),
        macAddr: optional(string()),
      }),
    ),
    name: optional(string()),
  },
  { preserveUnknownFields: true },
);

const powerStates = ['PoweredOff', 'PoweredOn', 'Suspended'] as const;

export const virtualMachine = defineKind({
  group: vmOperatorGroup,
  kind: 'VirtualMachine',
  plural: 'virtualmachines',
  shortNames: ['vm'],
  scope: 'Namespaced',
  versions: vmOperatorVersionsOf({
    description: 'A virtual machine of a Supervisor.',
    schema: {
      spec: optional(
        object(
          {
            affinity: optional(object({ vmAffinity: optional(affinity), vmAntiAffinity: optional(affinity) })),
            bootstrap: optional(
              object(
                {
                  cloudInit: optional(
                    object(
                      { rawCloudConfig: optional(object({ key: string(), name: string() })) },
                      { preserveUnknownFields: true },
                    ),
                  ),
                },
                { preserveUnknownFields: true },
              ),
            ),
            className: optional(string()),
            groupName: optional(string()),
            imageName: optional(string()),
            minHardwareVersion: optional(int32()),
            network: optional(networkSpec),
            policies: optional(list(object({ apiVersion: string(), kind: string(), name: string() }))),
            powerOffMode: optional(enumeration(['Hard', 'Soft', 'TrySoft'])),
            powerState: optional(enumeration(powerStates)),
            readinessProbe: optional(
              object(
                { tcpSocket: optional(object({ port: intOrString() }, { preserveUnknownFields: true })) },
                { preserveUnknownFields: true },
              ),
            ),
            reserved: optional(object({ resourcePolicyName: optional(string()) })),
            storageClass: optional(string()),
            volumes: optional(
              mapList(
                object(
                  {
                    name: string(),
                    persistentVolumeClaim: optional(object({ claimName: string() }, { preserveUnknownFields: true })),
                  },
                  { preserveUnknownFields: true },
                ),
                ['name'],
              ),
            ),
          },
          { preserveUnknownFields: true },
        ),
      ),
      status: optional(
        object(
          {
            biosUUID: optional(string()),
            conditions: optional(conditions),
            host: optional(string({ description: 'What v1alpha2 calls the later nodeName.' })),
            instanceUUID: optional(string()),
            network: optional(
              object(
                {
                  interfaces: optional(list(interfaceStatus)),
                  primaryIP4: optional(string()),
                  primaryIP6: optional(string()),
                },
                { preserveUnknownFields: true },
              ),
            ),
            nodeName: optional(string()),
            powerState: optional(enumeration(powerStates)),
            uniqueID: optional(string()),
            zone: optional(string()),
          },
          { preserveUnknownFields: true },
        ),
      ),
    },
    columns: [
      { name: 'Power-State', type: 'string', jsonPath: '.status.powerState' },
      { name: 'Class', type: 'string', jsonPath: '.spec.className', priority: 1 },
      { name: 'Image', type: 'string', jsonPath: '.spec.imageName', priority: 1 },
      { name: 'Primary-IP4', type: 'string', jsonPath: '.status.network.primaryIP4', priority: 1 },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
  }),
});

export type VirtualMachine = ObjectOf<typeof virtualMachine>;
