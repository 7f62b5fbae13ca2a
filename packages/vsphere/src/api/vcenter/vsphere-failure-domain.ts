import {
  boolean,
  defineKind,
  enumeration,
  list,
  mapList,
  object,
  optional,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { contractLabels } from '@slipway/cluster-api/schemas';
import { text, texts } from '../shared/limits.js';
import { addressing, addressingV1Beta1 } from './network.js';

const description = 'A part of a vCenter that fails on its own, marked by tags.';
const failureDomainTypes = ['Datacenter', 'ComputeCluster', 'HostGroup'] as const;

const domain = object({
  name: text(1024),
  tagCategory: text(1024),
  type: enumeration(failureDomainTypes),
});

const domainV1Beta1 = object({
  autoConfigure: optional(boolean()),
  name: string(),
  tagCategory: string(),
  type: enumeration(failureDomainTypes),
});

export const vsphereFailureDomain = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereFailureDomain',
  plural: 'vspherefailuredomains',
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
          object({
            region: domainV1Beta1,
            topology: object({
              computeCluster: optional(string()),
              datacenter: string(),
              datastore: optional(string()),
              hosts: optional(object({ hostGroupName: string(), vmGroupName: string() })),
              networkConfigurations: optional(
                mapList(object({ ...addressingV1Beta1, networkName: string() }), ['networkName']),
              ),
              networks: optional(list(string())),
            }),
            zone: domainV1Beta1,
          }),
        ),
      },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: object({
          region: domain,
          topology: object({
            computeCluster: optional(text(2048)),
            datacenter: text(2048),
            datastore: optional(text(2048)),
            hosts: optional(object({ hostGroupName: text(2048), vmGroupName: text(2048) })),
            networkConfigurations: optional(
              mapList(object({ ...addressing, networkName: text(2048) }), ['networkName'], { maxItems: 128 }),
            ),
            networks: optional(texts(128, 2048)),
          }),
          zone: domain,
        }),
      },
    },
  ],
});

export type VSphereFailureDomain = ObjectOf<typeof vsphereFailureDomain>;
export type VSphereFailureDomainV1Beta1 = ObjectOf<typeof vsphereFailureDomain, 'v1beta1'>;
