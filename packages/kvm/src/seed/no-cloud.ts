import { stringifyYamlInOrder } from '@slipway/kube';
import { boothookOf } from './boothook.js';
import { type DiscFile, writeDisc } from './iso9660.js';
import type { SeedFacts, SeedInterface } from './seed-facts.js';

/** Returns a NoCloud seed image for cloud-init. It contains the bootstrap data unchanged. */
export function noCloudDisc(facts: SeedFacts, userData: Uint8Array): Buffer {
  return writeDisc('cidata', [...noCloudFiles(facts), { name: 'user-data', content: userData }]);
}

/**
 * Returns a seed image without the bootstrap data, for use after the bootstrap. Its instance ID is unchanged: with another one,
 * cloud-init would run again.
 */
export function blankDisc(facts: SeedFacts): Buffer {
  return noCloudDisc(facts, Buffer.from('#cloud-config\n{}\n'));
}

function noCloudFiles(facts: SeedFacts): DiscFile[] {
  return [
    { name: 'meta-data', content: Buffer.from(metaData(facts)) },
    { name: 'network-config', content: Buffer.from(networkConfig(facts)) },
    { name: 'vendor-data', content: Buffer.from(vendorData(facts)) },
  ];
}

/**
 * Returns the instance metadata. Bootstrap templates use `hostname`, cloud-init uses `local-hostname`. The address is the one
 * that other machines of the cluster use: with two interfaces the kubelet must be configured with it.
 */
function metaData({ uuid, hostName, failureDomain, interfaces }: SeedFacts): string {
  const [address] = interfaces.flatMap(({ addresses }) => addresses);
  return stringifyYamlInOrder({
    'instance-id': uuid,
    'local-hostname': hostName,
    hostname: hostName,
    'provider-id': `kvm://${uuid}`,
    ...(address !== undefined && { 'local-ipv4': address.replace(/\/.*/, '') }),
    ...(failureDomain !== undefined && { 'failure-domain': failureDomain }),
  });
}

/**
 * Returns the network configuration. It matches interfaces by MAC address, because interface names depend on the device order.
 */
function networkConfig({ interfaces }: SeedFacts): string {
  const ethernets = Object.fromEntries(
    interfaces.map((each, index) => [`nic${index}`, ethernet(each, index)] as const),
  );
  return stringifyYamlInOrder({ version: 2, ethernets });
}

function ethernet(each: SeedInterface, index: number): Record<string, unknown> {
  const names = each.nameservers.length > 0 || each.searchDomains.length > 0;
  return {
    match: { macaddress: each.macAddress },
    'set-name': `eth${index}`,
    ...(each.addresses.length === 0
      ? { dhcp4: true, ...(names && { 'dhcp4-overrides': { 'use-dns': false } }) }
      : { addresses: [...each.addresses] }),
    ...(each.gateway !== undefined && { routes: [{ to: 'default', via: each.gateway }] }),
    ...(names && { nameservers: { addresses: [...each.nameservers], search: [...each.searchDomains] } }),
    ...(each.mtu !== undefined && { mtu: each.mtu }),
  };
}

const boundary = '==SLIPWAY==';

/**
 * Returns the vendor data in two parts: a cloud-config with the time servers only, because keys of the bootstrap data replace
 * keys of vendor data including lists; and a script for everything else, which runs early in each boot.
 */
function vendorData(facts: SeedFacts): string {
  const ntp = stringifyYamlInOrder({ ntp: { enabled: true, servers: [...facts.ntpServers] } });
  const parts = [
    ...(facts.ntpServers.length > 0 ? [{ type: 'text/cloud-config', text: `#cloud-config\n${ntp}` }] : []),
    { type: 'text/cloud-boothook', text: `#cloud-boothook\n${boothookOf(facts)}` },
  ];
  const lines = parts.flatMap(({ type, text }) => [
    `--${boundary}`,
    `Content-Type: ${type}; charset="utf-8"`,
    'MIME-Version: 1.0',
    '',
    text,
  ]);
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    'MIME-Version: 1.0',
    '',
    ...lines,
    `--${boundary}--`,
    '',
  ].join('\n');
}
