import { access } from 'node:fs/promises';
import { CommandError, readIfPresent, runCommand } from '@slipway/base';
import { MachineProblem } from './errors.js';

/** Returns the name of the machine's tap interface. Linux limits interface names to 15 characters. */
export function tapNameOf(uuid: string): string {
  return `kvm${uuid.replaceAll('-', '').slice(0, 12)}`;
}

export async function ensureTap(name: string, bridge: string): Promise<void> {
  if ((await readIfPresent(`/sys/class/net/${bridge}/bridge/bridge_id`)) === undefined)
    throw new MachineProblem(
      'VMProvisioned',
      'InvalidSpec',
      `this host has no bridge ${bridge}: create it, or set another one in spec.network.bridge`,
    );
  try {
    if ((await readIfPresent(`/sys/class/net/${name}/ifindex`)) === undefined)
      await runCommand('ip', ['tuntap', 'add', 'dev', name, 'mode', 'tap']);
    await runCommand('ip', ['link', 'set', name, 'master', bridge, 'up']);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const message = `failed to attach interface ${name} to bridge ${bridge}: ${error.output}; run Slipway as root, or use mode segment`;
    throw new MachineProblem('VMProvisioned', 'HostNotSupported', message);
  }
}

export async function removeTap(name: string): Promise<void> {
  if ((await readIfPresent(`/sys/class/net/${name}/ifindex`)) === undefined) return;
  await runCommand('ip', ['link', 'delete', name]);
}

export function hasVhost(): Promise<boolean> {
  return access('/dev/vhost-net').then(
    () => true,
    () => false,
  );
}
