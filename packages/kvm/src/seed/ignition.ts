import type { SeedFacts, SeedInterface } from './seed-facts.js';
import { boothookOf } from './boothook.js';

/**
 * Returns an Ignition configuration that merges the given one and adds the identity of the machine. Ignition reads it from a
 * firmware (fw_cfg) file, on the first boot only.
 */
export function ignitionConfig(facts: SeedFacts, given: Uint8Array): Buffer {
  const source = `data:;base64,${Buffer.from(given).toString('base64')}`;
  const unit = [
    '[Unit]',
    'Description=Disks, host directories and host names of this machine',
    'Before=containerd.service docker.service kubelet.service',
    '[Service]',
    'Type=oneshot',
    'RemainAfterExit=yes',
    'ExecStart=/bin/sh /etc/slipway/boot.sh',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n');
  const config = {
    ignition: { version: '3.3.0', config: { merge: [{ source }] } },
    storage: {
      files: [
        file('/etc/hostname', `${facts.hostName}\n`, 0o644),
        file('/etc/slipway/boot.sh', boothookOf(facts), 0o755),
        ...facts.interfaces.map((each, index) =>
          file(`/etc/systemd/network/10-nic${index}.network`, networkUnit(each), 0o644),
        ),
        ...(facts.ntpServers.length > 0
          ? [file('/etc/systemd/timesyncd.conf', `[Time]\nNTP=${facts.ntpServers.join(' ')}\n`, 0o644)]
          : []),
      ],
    },
    systemd: { units: [{ name: 'slipway-boot.service', enabled: true, contents: unit }] },
  };
  return Buffer.from(JSON.stringify(config));
}

function file(path: string, content: string, mode: number): object {
  const source = `data:;base64,${Buffer.from(content).toString('base64')}`;
  return { path, mode, overwrite: true, contents: { source } };
}

function networkUnit(each: SeedInterface): string {
  const lines = ['[Match]', `MACAddress=${each.macAddress}`, '[Network]'];
  if (each.addresses.length === 0) lines.push('DHCP=yes');
  for (const address of each.addresses) lines.push(`Address=${address}`);
  if (each.gateway !== undefined) lines.push(`Gateway=${each.gateway}`);
  for (const server of each.nameservers) lines.push(`DNS=${server}`);
  if (each.searchDomains.length > 0) lines.push(`Domains=${each.searchDomains.join(' ')}`);
  if (each.mtu !== undefined) lines.push('[Link]', `MTUBytes=${each.mtu}`);
  return `${lines.join('\n')}\n`;
}
