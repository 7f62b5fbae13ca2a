import { forbiddenField, invalidField, type JsonObject, type JsonValue } from '@slipway/kube';
import { compact, type Converted, isSet, listOf, Notes, recordOf, textOf } from './conversion.js';
import { portsToCapi, portsToMapi } from './openstack-ports.js';
import type { ConversionFacts, InfraMachine, ProviderConversion } from './provider.js';
import { addressList, reportedMetadata } from './reported.js';

const path = 'spec.providerSpec.value';

/** Converts between OpenstackProviderSpec and the OpenStackMachine spec. */
export const openStackConversion: ProviderConversion = {
  platform: 'OpenStack',
  machineKind: 'OpenStackMachine',
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta1',
  toCapi,
  toMapi,
  statusToCapi: ({ phase, addresses, providerStatus }) =>
    compact({
      ready: phase === 'Provisioned' || phase === 'Running',
      instanceState: textOf(providerStatus['instanceState']),
      addresses: addressList(addresses),
    }),
  statusToMapi: (_spec, status) => compact({ instanceState: textOf(status['instanceState']) }),
  reported: (spec, status, { failureDomain }, { region }) =>
    reportedMetadata({
      type: textOf(spec['flavor']),
      region,
      zone: failureDomain,
      state: textOf(status['instanceState']),
    }),
};

function toCapi(value: JsonObject, facts: ConversionFacts): Converted<InfraMachine> {
  const notes = new Notes();
  const spec = compact({
    flavor: textOf(value['flavor']),
    image: isSet(value['image']) ? { filter: { name: value['image'] ?? '' } } : undefined,
    identityRef: compact({
      type: 'Secret',
      name: textOf(recordOf(value['cloudsSecret'])['name']),
      cloudName: textOf(value['cloudName']),
    }),
    ports: portsToCapi(value, path, notes),
    securityGroups: groupsToCapi(value['securityGroups']),
    rootVolume: rootVolumeToCapi(value['rootVolume'], notes),
    additionalBlockDevices: blockDevicesToCapi(value['additionalBlockDevices'], notes),
    serverGroup: serverGroup(value),
    serverMetadata: metadataToList(value['serverMetadata']),
    configDrive: typeof value['configDrive'] === 'boolean' ? value['configDrive'] : undefined,
    trunk: value['trunk'] === true ? true : undefined,
    tags: value['tags'] ?? undefined,
    sshKeyName: textOf(value['keyName']),
    providerID: facts.providerId,
  });
  return notes.with({
    spec,
    failureDomain: textOf(value['availabilityZone']),
    userDataSecret: textOf(recordOf(value['userDataSecret'])['name']),
  });
}

function toMapi({ spec, failureDomain, userDataSecret }: InfraMachine): Converted<JsonObject> {
  const notes = new Notes();
  const identity = recordOf(spec['identityRef']);
  if (isSet(spec['flavorID']))
    notes.refuse(forbiddenField('spec.flavorID', 'Machine API only supports flavors by name'));
  const image = recordOf(spec['image']);
  if (isSet(image['id']) || isSet(image['imageRef']) || isSet(recordOf(image['filter'])['tags']))
    notes.refuse(forbiddenField('spec.image', 'Machine API only supports images by name'));
  const group = recordOf(spec['serverGroup']);
  const value = compact({
    apiVersion: 'machine.openshift.io/v1alpha1',
    kind: 'OpenstackProviderSpec',
    flavor: textOf(spec['flavor']),
    image: textOf(recordOf(image['filter'])['name']),
    cloudName: textOf(identity['cloudName']),
    cloudsSecret: isSet(identity['name']) ? { name: identity['name'] ?? '' } : undefined,
    ports: portsToMapi(listOf(spec['ports']), notes),
    securityGroups: groupsToMapi(spec['securityGroups']),
    rootVolume: rootVolumeToMapi(spec['rootVolume'], notes),
    additionalBlockDevices: blockDevicesToMapi(spec['additionalBlockDevices']),
    serverGroupID: textOf(group['id']),
    serverGroupName: textOf(recordOf(group['filter'])['name']),
    serverMetadata: metadataToMap(spec['serverMetadata']),
    configDrive: typeof spec['configDrive'] === 'boolean' ? spec['configDrive'] : undefined,
    trunk: spec['trunk'] === true ? true : undefined,
    tags: spec['tags'] ?? undefined,
    keyName: textOf(spec['sshKeyName']),
    availabilityZone: failureDomain,
    userDataSecret: userDataSecret === undefined ? undefined : { name: userDataSecret },
  });
  return notes.with(value);
}

/** Returns the server group. Its ID takes precedence over its name. */
function serverGroup(value: JsonObject): JsonValue | undefined {
  const [id, name] = [textOf(value['serverGroupID']), textOf(value['serverGroupName'])];
  if (id !== undefined) return { id };
  return name === undefined ? undefined : { filter: { name } };
}

function groupsToCapi(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return listOf(value).map((group) => {
    const id = textOf(group['uuid']);
    if (id !== undefined) return { id };
    const filter = recordOf(group['filter']);
    return { filter: compact({ ...filter, name: textOf(group['name']) ?? textOf(filter['name']) }) };
  });
}

function groupsToMapi(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return listOf(value).map((group) => {
    const id = textOf(group['id']);
    if (id !== undefined) return { uuid: id };
    const { name, ...rest } = recordOf(group['filter']);
    return compact({ name: textOf(name), filter: isSet(rest) ? rest : undefined });
  });
}

function rootVolumeToCapi(value: JsonValue | undefined, notes: Notes): JsonValue | undefined {
  if (!isSet(value)) return undefined;
  const volume = recordOf(value);
  for (const field of ['deviceType', 'sourceType', 'sourceUUID'])
    if (isSet(volume[field])) notes.warn(`${path}.rootVolume.${field} is ignored`);
  return compact({
    sizeGiB: volume['diskSize'],
    type: textOf(volume['volumeType']),
    availabilityZone: zoneToCapi(volume['availabilityZone']),
  });
}

function rootVolumeToMapi(value: JsonValue | undefined, notes: Notes): JsonValue | undefined {
  if (!isSet(value)) return undefined;
  const volume = recordOf(value);
  return compact({
    diskSize: volume['sizeGiB'],
    volumeType: textOf(volume['type']),
    availabilityZone: zoneToMapi(volume['availabilityZone'], 'spec.rootVolume.availabilityZone', notes),
  });
}

function zoneToCapi(value: JsonValue | undefined): JsonValue | undefined {
  const name = textOf(value);
  return name === undefined ? undefined : { from: 'Name', name };
}

function zoneToMapi(value: JsonValue | undefined, at: string, notes: Notes): string | undefined {
  const zone = recordOf(value);
  if (isSet(zone['from']) && zone['from'] !== 'Name')
    notes.refuse(invalidField(`${at}.from`, zone['from'], 'Machine API only supports zones by name'));
  return textOf(zone['name']);
}

function blockDevicesToCapi(value: JsonValue | undefined, notes: Notes): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return listOf(value).map((device, index) => {
    const storage = recordOf(device['storage']);
    const volume = recordOf(storage['volume']);
    if (storage['type'] === 'Volume' && storage['volume'] === undefined)
      notes.refuse(invalidField(`${path}.additionalBlockDevices[${index}].storage`, 'Volume', 'volume is required'));
    return compact({
      name: device['name'],
      sizeGiB: device['sizeGiB'],
      storage: compact({
        type: storage['type'],
        volume: isSet(volume)
          ? compact({ type: textOf(volume['type']), availabilityZone: zoneToCapi(volume['availabilityZone']) })
          : undefined,
      }),
    });
  });
}

function blockDevicesToMapi(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return listOf(value).map((device) => {
    const storage = recordOf(device['storage']);
    const volume = recordOf(storage['volume']);
    const zone = textOf(recordOf(volume['availabilityZone'])['name']);
    return compact({
      name: device['name'],
      sizeGiB: device['sizeGiB'],
      storage: compact({
        type: storage['type'],
        volume: isSet(volume) ? compact({ type: textOf(volume['type']), availabilityZone: zone }) : undefined,
      }),
    });
  });
}

function metadataToList(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return Object.entries(recordOf(value))
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, text]) => ({ key, value: text }));
}

function metadataToMap(value: JsonValue | undefined): JsonValue | undefined {
  if (value === undefined || value === null) return undefined;
  return Object.fromEntries(listOf(value).map((entry) => [textOf(entry['key']) ?? '', entry['value'] ?? '']));
}
