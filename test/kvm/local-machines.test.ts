import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import { buildTinyImage, type KVMMachine, kvmMachines, LocalService, type TinyImage } from '@slipway/kvm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KVMPlane, keyOf } from '../../packages/kvm/test/support/kvm-plane.js';

// Real machines of QEMU, with the tiny guest and without hardware acceleration.
let folder: string;
let tiny: TinyImage;
let service: LocalService;
let plane: KVMPlane;

const localService = (): LocalService =>
  new LocalService({ stateDirectory: join(folder, 'state'), runDirectory: join(folder, 'run'), clock: systemClock });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kvm-'));
  tiny = await buildTinyImage({ directory: join(folder, 'tiny') });
  service = localService();
  plane = await KVMPlane.start({ services: [service], endpoints: [] });
}, 120_000);

afterAll(async () => {
  await plane.stop();
  service.dispose();
  await rm(folder, { recursive: true, force: true });
});

function tinyMachine(): NonNullable<KVMMachine['spec']> {
  return {
    resources: { cpu: 1, memory: '256Mi', disk: '32Mi' },
    image: { url: tiny.disk },
    bootMode: 'kernel',
    kernel: { image: { url: tiny.kernel }, initrd: { url: tiny.initrd }, commandLine: 'console=ttyS0 quiet panic=-1' },
    accelerator: 'tcg',
    shutdown: { gracePeriodSeconds: 30 },
    network: { portForwards: [{ guestPort: 8080 }] },
  };
}

const bootstrapData = `## template: jinja
#cloud-config

write_files:
-   path: /www/index.html
    owner: root:root
    permissions: '0644'
    content: |
      I am {{ ds.meta_data.local_hostname }}, {{ ds.meta_data.provider_id }}
-   path: /run/cluster-api/placeholder
    content: "x"
runcmd:
  - 'httpd -p 8080 -h /www && echo success > /run/cluster-api/bootstrap-success.complete'
`;

describe('a machine of this host', () => {
  it('boots from our seed, runs its bootstrap data, is reached, shuts down and leaves nothing', async () => {
    await plane.createCluster('one', {
      controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 },
      controlPlaneExposure: { type: 'External' },
    });
    await plane.provisionCluster('one');
    await plane.createMachine('first', { cluster: 'one', data: bootstrapData, spec: tinyMachine() });
    const booted = await plane.untilMachineSays('first', 'BootstrapSucceeded', 'Succeeded', 40_000);
    const { vm, machineState, initialization } = booted.status ?? {};
    expect({ machineState, initialization }).toEqual({
      machineState: 'running',
      initialization: { provisioned: true },
    });
    const port = vm?.portForwards?.[0]?.port ?? 0;
    const page = await (await fetch(`http://127.0.0.1:${port}/`)).text();
    expect(page).toBe(`I am first, ${booted.spec?.providerID ?? ''}\n`);

    await plane.client.delete(kvmMachines, keyOf('first'));
    await plane.untilGone(kvmMachines, keyOf('first'), 60_000);
    expect(readdirs()).toEqual([]);
    expect(existsSync(`/proc/${vm?.pid ?? 0}`)).toBe(false);
  });
});

function readdirs(): string[] {
  return execFileSync('sh', ['-c', `ls ${folder}/state/machines ${folder}/run | grep -v : || true`], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((line) => line !== '');
}
