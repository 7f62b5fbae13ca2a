import { forbiddenField, invalidField, type JsonObject, type JsonValue } from '@slipway/kube';
import { compact, isSet, listOf, type Notes, recordOf, textOf } from './conversion.js';

/** Converts ports and networks to ports in the order in which they are attached: first the ports, then those of networks. */
export function portsToCapi(value: JsonObject, path: string, notes: Notes): JsonValue | undefined {
  const ports = listOf(value['ports']).map((port, index) => portToCapi(port, `${path}.ports[${index}]`, notes));
  const networks = listOf(value['networks']).flatMap((network, index) =>
    networkToPorts(network, `${path}.networks[${index}]`, notes),
  );
  if (value['ports'] === undefined && value['networks'] === undefined) return undefined;
  return [...ports, ...networks];
}

const sameFields = ['nameSuffix', 'description', 'adminStateUp', 'macAddress', 'vnicType', 'trunk', 'tags'];

function portToCapi(port: JsonObject, at: string, notes: Notes): JsonObject {
  if (isSet(port['hostID'])) notes.warn(`${at}.hostID is ignored`);
  return compact({
    ...Object.fromEntries(sameFields.map((field) => [field, port[field]])),
    network: isSet(port['networkID']) ? { id: port['networkID'] ?? '' } : undefined,
    fixedIPs: fixedIpsToCapi(port['fixedIPs']),
    allowedAddressPairs: port['allowedAddressPairs'],
    securityGroups: Array.isArray(port['securityGroups'])
      ? (port['securityGroups'] as readonly JsonValue[]).map((id) => ({ id }))
      : undefined,
    disablePortSecurity: typeof port['portSecurity'] === 'boolean' ? !port['portSecurity'] : undefined,
    profile: profileToCapi(port['profile'], `${at}.profile`, notes),
  });
}

function fixedIpsToCapi(value: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  return listOf(value).map((ip) =>
    compact({
      ipAddress: textOf(ip['ipAddress']),
      subnet: isSet(ip['subnetID']) ? { id: ip['subnetID'] ?? '' } : undefined,
    }),
  );
}

function profileToCapi(value: JsonValue | undefined, at: string, notes: Notes): JsonValue | undefined {
  if (!isSet(value)) return undefined;
  const profile = recordOf(value);
  for (const key of Object.keys(profile))
    if (key !== 'capabilities' && key !== 'trusted') notes.refuse(forbiddenField(`${at}.${key}`, 'is not supported'));
  const capabilities = profile['capabilities'];
  const hasOffload = typeof capabilities === 'string' && capabilities.includes('switchdev');
  return compact({
    ovsHWOffload: hasOffload ? true : undefined,
    trustedVF: profile['trusted'] === 'true' || profile['trusted'] === true ? true : undefined,
  });
}

/** Converts a network to one port with an address in each subnet, or to one port for each subnet if no network is set. */
function networkToPorts(network: JsonObject, at: string, notes: Notes): readonly JsonObject[] {
  if (isSet(network['fixedIp'])) notes.warn(`${at}.fixedIp is ignored`);
  const shared = {
    allowedAddressPairs: network['noAllowedAddressPairs'] === true ? [] : undefined,
    disablePortSecurity: network['portSecurity'] === false ? true : undefined,
    profile: profileToCapi(network['profile'], `${at}.profile`, notes),
    vnicType: textOf(network['vnicType']),
    tags: network['portTags'],
  };
  const subnets = listOf(network['subnets']).map((subnet, index) =>
    subnetToCapi(subnet, `${at}.subnets[${index}]`, notes),
  );
  const reference = referenceToCapi(network);
  if (reference !== undefined) {
    const fixedIPs = subnets.length === 0 ? undefined : subnets.map((subnet) => ({ subnet }));
    return [compact({ network: reference, fixedIPs, ...shared })];
  }
  return subnets.map((subnet) => compact({ fixedIPs: [{ subnet }], ...shared }));
}

function subnetToCapi(subnet: JsonObject, at: string, notes: Notes): JsonObject {
  if (isSet(recordOf(subnet['filter'])['networkId'])) notes.warn(`${at}.filter.networkId is ignored`);
  return referenceToCapi(subnet) ?? {};
}

function referenceToCapi(given: JsonObject): JsonObject | undefined {
  const id = textOf(given['uuid']);
  if (id !== undefined) return { id };
  if (!isSet(given['filter'])) return undefined;
  const filter = recordOf(given['filter']);
  return {
    filter: compact({
      name: textOf(filter['name']),
      description: textOf(filter['description']),
      projectID: textOf(filter['projectId']) ?? textOf(filter['tenantId']),
      tags: splitTags(filter['tags']),
      tagsAny: splitTags(filter['tagsAny']),
      notTags: splitTags(filter['notTags']),
      notTagsAny: splitTags(filter['notTagsAny']),
    }),
  };
}

function splitTags(value: JsonValue | undefined): JsonValue | undefined {
  return textOf(value)?.split(',');
}

/** Converts ports. Networks are not restored, because ports are equivalent to them. */
export function portsToMapi(ports: readonly JsonObject[], notes: Notes): JsonValue | undefined {
  if (ports.length === 0) return undefined;
  return ports.map((port, index) => portToMapi(port, `spec.ports[${index}]`, notes));
}

function portToMapi(port: JsonObject, at: string, notes: Notes): JsonObject {
  const network = recordOf(port['network']);
  if (isSet(network['filter']))
    notes.refuse(forbiddenField(`${at}.network.filter`, 'Machine API only supports networks of ports by id'));
  const groups = listOf(port['securityGroups']);
  if (groups.some((group) => isSet(group['filter'])))
    notes.refuse(forbiddenField(`${at}.securityGroups`, 'Machine API only supports security groups of ports by id'));
  const profile = recordOf(port['profile']);
  const disabled = port['disablePortSecurity'];
  return compact({
    ...Object.fromEntries(sameFields.map((field) => [field, port[field]])),
    networkID: textOf(network['id']),
    fixedIPs: fixedIpsToMapi(port['fixedIPs'], at, notes),
    allowedAddressPairs: port['allowedAddressPairs'],
    securityGroups: Array.isArray(port['securityGroups']) ? groups.map((group) => group['id'] ?? '') : undefined,
    portSecurity: typeof disabled === 'boolean' ? !disabled : undefined,
    profile: isSet(profile)
      ? compact({
          capabilities: profile['ovsHWOffload'] === true ? '["switchdev"]' : undefined,
          trusted: profile['trustedVF'] === true ? 'true' : undefined,
        })
      : undefined,
  });
}

function fixedIpsToMapi(value: JsonValue | undefined, at: string, notes: Notes): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  return listOf(value).map((ip, index) => {
    const subnet = recordOf(ip['subnet']);
    if (isSet(subnet['filter']))
      notes.refuse(
        invalidField(`${at}.fixedIPs[${index}].subnet.filter`, '', 'Machine API only supports subnets of ports by id'),
      );
    return compact({ subnetID: textOf(subnet['id']), ipAddress: textOf(ip['ipAddress']) });
  });
}
