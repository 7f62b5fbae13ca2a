import { forbiddenField, invalidField, type JsonObject, type JsonValue, requiredField } from '@slipway/kube';
import { awsReported, awsStatusToCapi, awsStatusToMapi } from './aws-status.js';
import { volumesToCapi, volumesToMapi } from './aws-volumes.js';
import { compact, type Converted, isSet, listOf, Notes, numberOf, recordOf, textOf } from './conversion.js';
import type { ConversionFacts, InfraMachine, ProviderConversion } from './provider.js';

const path = 'spec.providerSpec.value';
const credentialsSecret = 'aws-cloud-credentials';

/** Converts between AWSMachineProviderConfig and the AWSMachine spec. */
export const awsConversion: ProviderConversion = {
  platform: 'AWS',
  machineKind: 'AWSMachine',
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  toCapi,
  toMapi,
  statusToCapi: awsStatusToCapi,
  statusToMapi: awsStatusToMapi,
  reported: awsReported,
};

const interfaceTypes = { ENA: 'interface', EFA: 'efa' } as const;
const authentications = { Optional: 'optional', Required: 'required' } as const;
/** Fields that are copied unchanged. */
const sameFields = ['instanceType', 'marketType', 'capacityReservationId', 'placementGroupName'];

function toCapi(value: JsonObject, facts: ConversionFacts): Converted<InfraMachine> {
  const notes = new Notes();
  refuseWithoutPlace(value, facts, notes);
  const placement = recordOf(value['placement']);
  const instanceId = /^aws:\/\/\/[^/]*\/(i-[^/]+)$/.exec(facts.providerId ?? '')?.[1];
  if (facts.providerId !== undefined && instanceId === undefined)
    notes.refuse(invalidField('spec.providerID', facts.providerId, 'must end with an instance ID'));
  const spec = compact({
    ...Object.fromEntries(sameFields.map((field) => [field, textOf(value[field])])),
    ami: compact({ id: textOf(recordOf(value['ami'])['id']) }),
    sshKeyName: textOf(value['keyName']),
    publicIP: typeof value['publicIp'] === 'boolean' ? value['publicIp'] : undefined,
    additionalTags: tagsToMap(value['tags']),
    iamInstanceProfile: textOf(recordOf(value['iamInstanceProfile'])['id']),
    additionalSecurityGroups: securityGroups(value['securityGroups']),
    subnet: isSet(value['subnet']) ? reference(recordOf(value['subnet'])) : undefined,
    tenancy: textOf(placement['tenancy']),
    ...hostToCapi(recordOf(placement['host'])),
    ...volumesToCapi(listOf(value['blockDevices']), `${path}.blockDevices`, notes),
    instanceMetadataOptions: metadataOptions(value),
    spotMarketOptions: value['spotMarketOptions'],
    cpuOptions: isSet(value['cpuOptions']) ? value['cpuOptions'] : undefined,
    networkInterfaceType: interfaceToCapi(value['networkInterfaceType'], notes),
    placementGroupPartition: numberOf(value['placementGroupPartition']) || undefined,
    // The user data need not be encrypted: in OpenShift it is an Ignition pointer configuration without secrets.
    ignition: { storageType: 'UnencryptedUserData' },
    providerID: facts.providerId,
    instanceID: instanceId,
    ...dualStack(facts),
  });
  return notes.with({
    spec,
    failureDomain: textOf(placement['availabilityZone']),
    userDataSecret: textOf(recordOf(value['userDataSecret'])['name']),
  });
}

function refuseWithoutPlace(value: JsonObject, facts: ConversionFacts, notes: Notes): void {
  const { region } = facts;
  const ami = recordOf(value['ami']);
  if (isSet(ami['arn']) || isSet(ami['filters']))
    notes.refuse(invalidField(`${path}.ami`, '', 'unable to convert AMI ARN or filters: only an id is supported'));
  else if (!isSet(ami['id'])) notes.refuse(requiredField(`${path}.ami.id`, 'an AMI id is required'));
  const given = textOf(recordOf(value['placement'])['region']);
  if (given !== undefined && given !== region)
    notes.refuse(invalidField(`${path}.placement.region`, given, `must be the region of the cluster, ${region ?? ''}`));
  const secret = textOf(recordOf(value['credentialsSecret'])['name']);
  if (secret !== undefined && secret !== credentialsSecret)
    notes.refuse(invalidField(`${path}.credentialsSecret.name`, secret, `must be ${credentialsSecret}`));
  if (numberOf(value['deviceIndex']))
    notes.refuse(invalidField(`${path}.deviceIndex`, value['deviceIndex'], 'must be 0'));
  refuseLoadBalancers(value, facts, notes);
}

/** Rejects load balancers of the machine that differ from those of the AWSCluster, from which Cluster API takes them. */
function refuseLoadBalancers(value: JsonObject, facts: ConversionFacts, notes: Notes): void {
  const { isControlPlane = false, loadBalancers = [] } = facts;
  const names = (list: readonly { readonly name?: unknown; readonly type?: unknown }[]): string =>
    list
      .map(({ name, type }) => `${String(name)} (${String(type)})`)
      .sort()
      .join(', ');
  const [given, desired] = [names(listOf(value['loadBalancers'])), names(isControlPlane ? loadBalancers : [])];
  if (given === desired) return;
  const text = isControlPlane
    ? `must be those of the AWSCluster: ${desired}`
    : 'only allowed for control plane machines';
  notes.refuse(invalidField(`${path}.loadBalancers`, given, text));
}

/** Returns the metadata options with all defaults of the provider: absent fields would cause a permanent difference. */
function metadataOptions(value: JsonObject): JsonObject {
  const authentication = textOf(recordOf(value['metadataServiceOptions'])['authentication']);
  return {
    httpEndpoint: 'enabled',
    httpPutResponseHopLimit: 1,
    httpProtocolIPv6: 'disabled',
    httpTokens: authentication === 'Required' ? 'required' : 'optional',
    instanceMetadataTags: 'disabled',
  };
}

function hostToCapi(host: JsonObject): Record<string, JsonValue | undefined> {
  if (textOf(host['affinity']) !== 'DedicatedHost') return { hostAffinity: 'default' };
  const dedicated = recordOf(host['dedicatedHost']);
  if (textOf(dedicated['allocationStrategy']) === 'Dynamic') {
    const tags = tagsToMap(recordOf(dedicated['dynamicHostAllocation'])['tags']);
    return { hostAffinity: 'host', dynamicHostAllocation: compact({ tags }) };
  }
  return { hostAffinity: 'host', hostID: textOf(dedicated['id']) };
}

function interfaceToCapi(value: JsonValue | undefined, notes: Notes): string | undefined {
  const given = textOf(value);
  if (given === undefined) return undefined;
  if (given in interfaceTypes) return interfaceTypes[given as keyof typeof interfaceTypes];
  notes.refuse(invalidField(`${path}.networkInterfaceType`, given, 'must be ENA or EFA'));
  return undefined;
}

function dualStack({ isDualStack = false, primaryFamily = 'IPv4' }: ConversionFacts): Record<string, JsonValue> {
  if (!isDualStack) return {};
  return {
    privateDNSName: {
      hostnameType: 'resource-name',
      enableResourceNameDNSARecord: true,
      enableResourceNameDNSAAAARecord: true,
    },
    assignPrimaryIPv6: primaryFamily === 'IPv6' ? 'enabled' : 'disabled',
  };
}

/** Converts tags to a map. Absent tags and an empty list stay distinct. */
function tagsToMap(value: JsonValue | undefined): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  return Object.fromEntries(listOf(value).map((tag) => [textOf(tag['name']) ?? '', tag['value'] ?? '']));
}

function tagsToList(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return Object.entries(recordOf(value))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, text]) => ({ name, value: text }));
}

function securityGroups(value: JsonValue | undefined): JsonValue | undefined {
  return value === undefined || value === null ? undefined : listOf(value).map(reference);
}

/** Converts a reference by ID or filters. ARNs are not supported. */
function reference(given: JsonObject): JsonObject {
  const filters = given['filters'];
  return compact({ id: textOf(given['id']), filters: isSet(filters) ? filters : undefined });
}

function toMapi({ spec, failureDomain, userDataSecret }: InfraMachine, facts: ConversionFacts): Converted<JsonObject> {
  const notes = new Notes();
  refuseUnknown(spec, notes);
  const metadata = recordOf(spec['instanceMetadataOptions']);
  const value = compact({
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'AWSMachineProviderConfig',
    ...Object.fromEntries(sameFields.map((field) => [field, textOf(spec[field])])),
    ami: compact({ id: textOf(recordOf(spec['ami'])['id']) }),
    keyName: textOf(spec['sshKeyName']),
    publicIp: typeof spec['publicIP'] === 'boolean' ? spec['publicIP'] : undefined,
    tags: tagsToList(spec['additionalTags']),
    iamInstanceProfile: isSet(spec['iamInstanceProfile']) ? { id: spec['iamInstanceProfile'] ?? '' } : undefined,
    securityGroups: securityGroups(spec['additionalSecurityGroups']),
    subnet: reference(recordOf(spec['subnet'])),
    placement: compact({
      region: facts.region,
      availabilityZone: failureDomain,
      tenancy: textOf(spec['tenancy']),
      host: hostToMapi(spec, notes),
    }),
    blockDevices: volumesToMapi(spec, notes),
    metadataServiceOptions: compact({
      authentication: Object.entries(authentications).find(([, tokens]) => tokens === metadata['httpTokens'])?.[0],
    }),
    spotMarketOptions: spec['spotMarketOptions'],
    cpuOptions: isSet(spec['cpuOptions']) ? spec['cpuOptions'] : undefined,
    networkInterfaceType: interfaceToMapi(spec['networkInterfaceType'], notes),
    placementGroupPartition: numberOf(spec['placementGroupPartition']) || undefined,
    credentialsSecret: { name: credentialsSecret },
    loadBalancers: loadBalancersToMapi(facts),
    userDataSecret: userDataSecret === undefined ? undefined : { name: userDataSecret },
    deviceIndex: 0,
  });
  return notes.with(value);
}

function loadBalancersToMapi({ isControlPlane = false, loadBalancers = [] }: ConversionFacts): JsonValue | undefined {
  if (!isControlPlane || loadBalancers.length === 0) return undefined;
  return loadBalancers.map(({ name, type }) => ({ name, type }));
}

function interfaceToMapi(value: JsonValue | undefined, notes: Notes): string | undefined {
  const given = textOf(value);
  if (given === undefined) return undefined;
  const found = Object.entries(interfaceTypes).find(([, type]) => type === given)?.[0];
  if (found === undefined) notes.refuse(invalidField('spec.networkInterfaceType', given, 'must be interface or efa'));
  return found;
}

const hostIdPattern = /^h-([0-9a-f]{8}|[0-9a-f]{17})$/;

function hostToMapi(spec: JsonObject, notes: Notes): JsonValue | undefined {
  const affinity = textOf(spec['hostAffinity']) ?? 'default';
  const id = textOf(spec['hostID']);
  const dynamic = spec['dynamicHostAllocation'];
  if (affinity === 'default') {
    if (id !== undefined || dynamic !== undefined)
      notes.refuse(invalidField('spec.hostAffinity', affinity, 'must be host if a host is set'));
    return undefined;
  }
  if (id !== undefined && dynamic !== undefined)
    notes.refuse(invalidField('spec.hostID', id, 'cannot be set together with dynamicHostAllocation'));
  if (id !== undefined && !hostIdPattern.test(id)) notes.refuse(invalidField('spec.hostID', id, 'is not a host ID'));
  const dedicatedHost =
    dynamic === undefined
      ? compact({ allocationStrategy: 'UserProvided', id })
      : {
          allocationStrategy: 'Dynamic',
          dynamicHostAllocation: compact({ tags: tagsToList(recordOf(dynamic)['tags']) }),
        };
  return { affinity: 'DedicatedHost', dedicatedHost };
}

const noPlace = [
  'imageLookupFormat',
  'imageLookupOrg',
  'imageLookupBaseOS',
  'networkInterfaces',
  'uncompressedUserData',
  'securityGroupOverrides',
  'cloudInit',
  'elasticIpPool',
];

/** Rejects values that Machine API cannot represent, instead of dropping them silently. */
function refuseUnknown(spec: JsonObject, notes: Notes): void {
  for (const field of noPlace)
    if (isSet(spec[field])) notes.refuse(forbiddenField(`spec.${field}`, 'Machine API has no such field'));
  if (isSet(recordOf(spec['ami'])['eksLookupType']))
    notes.refuse(forbiddenField('spec.ami.eksLookupType', 'Machine API has no such field'));
  const ignition = recordOf(spec['ignition']);
  for (const field of ['proxy', 'tls'])
    if (isSet(ignition[field])) notes.refuse(forbiddenField(`spec.ignition.${field}`, 'Machine API has no such field'));
  const options = recordOf(spec['instanceMetadataOptions']);
  const expected = metadataOptions({});
  for (const [field, value] of Object.entries(options))
    if (field !== 'httpTokens' && value !== expected[field])
      notes.refuse(
        invalidField(`spec.instanceMetadataOptions.${field}`, value, `must be ${JSON.stringify(expected[field])}`),
      );
}
