import { olmBundle, operatorManifest } from '@slipway/drivers';
import { type KubeObject, parseYamlDocuments } from '@slipway/kube';
import type { Container, PodSpec } from '@slipway/kube/builtin';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slipway } from '../../packages/cli/test/support/command.js';
import type { KVMCluster } from '../../packages/kvm/src/api/index.js';
import type { VmDocument } from '../../packages/kvm/src/pod/vm-document.js';
import { podOf } from '../../packages/kvm/src/pod/pod-manifest.js';
import { podSettingsDefault } from '../../packages/kvm/src/pod/pod-settings.js';
import { Containerd } from './containerd.js';
import { ensureRelease, releaseFile } from './release-files.js';

let containerd: Containerd;
let manager = '';
let launcher = '';

beforeAll(async () => {
  ensureRelease();
  containerd = await Containerd.start();
  manager = await containerd.importImage(releaseFile(/^slipway-\d.*-oci\.tar$/));
  launcher = await containerd.importImage(releaseFile(/^slipway-vmm-.*-oci\.tar$/));
});
afterAll(async () => containerd.stop());

interface Deployment {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: PodSpec } };
}

/** Returns the whole command line of the first container, as the kubelet starts it. */
function commandLine(containers: readonly Container[] = []): string[] {
  const [container] = containers;
  return [...(container?.command ?? []), ...(container?.args ?? [])];
}

function objectsIn(text: string): KubeObject[] {
  return parseYamlDocuments(text).map(({ value }) => value as KubeObject);
}

function deploymentIn(objects: readonly KubeObject[]): Deployment {
  const found = objects.find(({ kind }) => kind === 'Deployment');
  if (found === undefined) throw new Error('no Deployment');
  return found as unknown as Deployment;
}

describe('the image of managers and operators', () => {
  it('has the default reference of the managers that `slipway init` installs', async () => {
    const { stdout } = await slipway('init', 'list-images', '--infrastructure', 'kvm');
    expect(stdout.trim().split('\n')).toEqual([manager, launcher]);
    const { stdout: all } = await slipway('image', 'list');
    expect(all.split('\n')).toEqual(expect.arrayContaining([manager, launcher]));
  });

  it('has slipway and vdoctl on its PATH, and runs without root', async () => {
    const { stdout, code } = await containerd.run(manager, ['slipway', 'version', '-o', 'short']);
    expect({ stdout, code }).toEqual({ stdout: expect.stringMatching(/^v\d/), code: 0 });
    expect((await containerd.run(manager, ['vdoctl', '--help'])).stdout).toContain('Usage: slipway drivers');
    const user = await containerd.run(manager, ['node', '-p', 'process.getuid()']);
    expect(user.stdout).toBe('65532\n');
  });

  /** Command lines of the manifests. Outside a cluster the processes exit, because they have no API server. */
  it('starts the command lines of the manager, the drivers operator and the OLM bundle', async () => {
    const { stdout } = await slipway('generate', 'provider', '--infrastructure', 'kvm');
    const operator = operatorManifest({ image: manager, version: '0.0.0' });
    const bundle = olmBundle({ image: manager, version: '0.0.0' }).flatMap(({ text }) => objectsIn(text));
    const { spec } = bundle.find(({ kind }) => kind === 'ClusterServiceVersion') as unknown as {
      readonly spec: {
        readonly install: { readonly spec: { readonly deployments: readonly Pick<Deployment, 'spec'>[] } };
      };
    };
    const commands = [
      deploymentIn(objectsIn(stdout)).spec.template.spec,
      deploymentIn(operator).spec.template.spec,
      spec.install.spec.deployments[0]?.spec.template.spec,
    ].map((pod) => commandLine(pod?.containers));
    expect(commands.map((line) => line.slice(0, 2))).toEqual([
      ['slipway', 'manager'],
      ['slipway', 'drivers'],
      ['slipway', 'drivers'],
    ]);
    for (const line of commands) {
      const { code, stderr } = await containerd.run(manager, line, '--read-only');
      expect({ line, code, stderr }).toEqual({
        line,
        code: 1,
        stderr: expect.stringMatching(/kubeconfig|KUBERNETES_SERVICE_HOST/),
      });
    }
  });

  it('runs the quick start of `slipway up` and reports its health', async () => {
    const plane = containerd.start(manager, ['slipway', 'up', '--quick-start', '--log-format', 'json']);
    await plane.waitForOutput('get nodes');
    expect((await containerd.exec(plane.name, ['slipway', 'status'])).code).toBe(0);
    const { stdout } = await containerd.exec(plane.name, ['slipway', 'get', 'clusters', '-A', '-o', 'json']);
    expect(stdout).toContain('"quick-start"');
    await containerd.ctr('tasks', 'kill', '--signal', 'SIGTERM', plane.name);
    expect(await plane.exited).toBe(0);
  });
});

describe('the image of the VM launcher', () => {
  const document: VmDocument = {
    uuid: '1d3c7a52-0000-4000-8000-000000000001',
    name: 'worker',
    clusterName: 'example',
    isControlPlane: false,
    spec: { resources: { cpu: '1', memory: '1Gi' } },
    cluster: {},
  };

  it('starts the command lines of the pods of machines', async () => {
    const cluster: KVMCluster = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'KVMCluster',
      metadata: { name: 'example' },
    };
    const { spec } = podOf(document, 'default', cluster, { ...podSettingsDefault, launcherImage: launcher });
    for (const containers of [spec?.initContainers, spec?.containers]) {
      const line = commandLine(containers);
      const { code, stderr } = await containerd.run(launcher, line);
      // Nothing is mounted in this container.
      expect({ line, code, stderr }).toEqual({
        line,
        code: expect.any(Number),
        stderr: expect.stringContaining('/etc/capk/vm.json'),
      });
    }
  });

  it('contains QEMU with the firmware and devices of machines, qemu-img and ip', async () => {
    const devices = [
      'virtio-rng-pci',
      'virtio-balloon-pci',
      'i6300esb',
      'pvpanic',
      'virtio-net-pci,netdev=n0',
      'virtio-serial-pci',
    ];
    const options = [
      '-machine',
      'q35,graphics=off',
      '-accel',
      'tcg',
      '-cpu',
      'max',
      '-nodefaults',
      '-display',
      'none',
      '-m',
      '64M',
    ];
    const line = [
      'qemu-system-x86_64',
      ...options,
      '-netdev',
      'user,id=n0',
      ...devices.flatMap((device) => ['-device', device]),
    ];
    const input = '{"execute":"qmp_capabilities"}{"execute":"query-status"}{"execute":"quit"}';
    const qemu = await containerd.runWithInput(launcher, [...line, '-qmp', 'stdio'], input);
    expect(qemu.stderr).not.toContain('qemu-system-x86_64:');
    expect(qemu.stdout).toContain('"status": "running"');
    expect((await containerd.run(launcher, ['qemu-img', '--version'])).stdout).toMatch(/^qemu-img version/);
    const { stdout } = await containerd.run(launcher, ['ip', '-json', 'address']);
    expect(JSON.parse(stdout)).toEqual([expect.objectContaining({ ifname: 'lo' })]);
  });
});
