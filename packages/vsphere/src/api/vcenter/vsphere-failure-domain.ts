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
import { withDescriptions } from '../shared/with-descriptions.js';
import { addressing, addressingV1Beta1 } from './network.js';

const description =
  'A part of a vCenter that can fail independently of others: a zone within a region, both marked by vSphere tags. The spec is immutable.';
const failureDomainTypes = ['Datacenter', 'ComputeCluster', 'HostGroup'] as const;

const specDescription = 'Region, zone and inventory objects of the failure domain. Immutable.';

const specDescriptions = {
  region: 'Region that the zone is in.',
  topology: 'Inventory objects of the failure domain. They take precedence over those that a VSphereMachine names.',
  zone: 'Zone of the failure domain.',
} as const;

const domainDescriptions = {
  name: 'Name of the tag. Every inventory object of the given type must have a tag of this name.',
  tagCategory: 'Name of the tag category that the tag is in.',
  type: 'Inventory objects that have the tag: Datacenter, ComputeCluster or, for a zone only, HostGroup. ComputeCluster requires topology.computeCluster, and HostGroup requires topology.hosts.',
} as const;

const topologyDescriptions = {
  computeCluster: 'Name or inventory path of the compute cluster. Required if hosts is set.',
  datacenter: 'Name or inventory path of the datacenter for virtual machines.',
  datastore:
    'Name or inventory path of the datastore for virtual machines. Defaults to the datastore of the VSphereMachine.',
  hosts:
    'Host group of the failure domain. Virtual machines join the VM group, which a rule of the compute cluster ties to the host group.',
  networkConfigurations:
    'Networks with IP settings. The entry at each position overrides the network device at the same position; only the fields that are set apply. Cannot be set together with networks.',
  networks:
    'Names of networks. The entry at each position replaces the network of the device at the same position, and further entries add devices. Cannot be set together with networkConfigurations.',
} as const;

const hostsDescriptions = {
  hostGroupName: 'Name of the host group in the compute cluster.',
  vmGroupName: 'Name of the VM group in the compute cluster. It must exist.',
} as const;

const networkNameDescription = 'Name, inventory path or managed object ID of the network.';

const domain = object(
  withDescriptions(
    { name: text(1024), tagCategory: text(1024), type: enumeration(failureDomainTypes) },
    domainDescriptions,
  ),
);

const domainV1Beta1 = object({
  ...withDescriptions(
    { name: string(), tagCategory: string(), type: enumeration(failureDomainTypes) },
    domainDescriptions,
  ),
  autoConfigure: optional(boolean({ description: 'Not used: tags must exist and be attached. Removed in v1beta2.' })),
});

const topology = object(
  withDescriptions(
    {
      computeCluster: optional(text(2048)),
      datacenter: text(2048),
      datastore: optional(text(2048)),
      hosts: optional(
        object(withDescriptions({ hostGroupName: text(2048), vmGroupName: text(2048) }, hostsDescriptions)),
      ),
      networkConfigurations: optional(
        mapList(object({ ...addressing, networkName: text(2048, networkNameDescription) }), ['networkName'], {
          maxItems: 128,
        }),
      ),
      networks: optional(texts(128, 2048)),
    },
    topologyDescriptions,
  ),
);

const topologyV1Beta1 = object(
  withDescriptions(
    {
      computeCluster: optional(string()),
      datacenter: string(),
      datastore: optional(string()),
      hosts: optional(object(withDescriptions({ hostGroupName: string(), vmGroupName: string() }, hostsDescriptions))),
      networkConfigurations: optional(
        mapList(object({ ...addressingV1Beta1, networkName: string({ description: networkNameDescription }) }), [
          'networkName',
        ]),
      ),
      networks: optional(list(string())),
    },
    topologyDescriptions,
  ),
);

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
          object(
            withDescriptions(
              { region: domainV1Beta1, topology: topologyV1Beta1, zone: domainV1Beta1 },
              specDescriptions,
            ),
            { description: specDescription },
          ),
        ),
      },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: object(withDescriptions({ region: domain, topology, zone: domain }, specDescriptions), {
          description: specDescription,
        }),
      },
    },
  ],
});

export type VSphereFailureDomain = ObjectOf<typeof vsphereFailureDomain>;
