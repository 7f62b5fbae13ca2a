import { mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import { buildNodeImage, GivenEndpoint, kvmMachines, LocalService } from '@slipway/kvm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chooseAccelerator, guestHasFile } from '../../packages/kvm/src/qemu/index.js';
import { KVMPlane, keyOf } from '../../packages/kvm/test/support/kvm-plane.js';
import { removeHost } from './support/host-folder.js';
import { clusterFiles, controlPlaneAddress, controlPlaneData, workerData } from './support/node-cluster.js';

// Runs in `npm run e2e:kvm`: boots the node image of `slipway image build`, with real cloud-init and kubeadm.
const peers = join(import.meta.dirname, '../../.peers');
const stateDirectory = process.env['E2E_KVM_STATE'] ?? join(peers, 'kvm');
const minute = 60_000;

let run: string;
let service: LocalService;
let plane: KVMPlane;

const imageDirectory = join(stateDirectory, 'images');
const built = (name: string): ReturnType<typeof buildNodeImage> =>
  buildNodeImage({
    name,
    imageDirectory,
    suite: 'bookworm',
    packages: [],
    files: {
      '/usr/bin/kubeadm': join(peers, 'bin/kubeadm'),
      '/usr/bin/kubelet': join(peers, 'bin/kubelet'),
    },
    diskBytes: 3 * 1024 ** 3,
    sourceDateEpoch: 0,
    onProgress: (step) => process.stdout.write(`${step}\n`),
  });
let image: Awaited<ReturnType<typeof buildNodeImage>>;

beforeAll(async () => {
  await mkdir(imageDirectory, { recursive: true });
  const started = Date.now();
  image = await built('e2e');
  process.stdout.write(`the image after ${Math.round((Date.now() - started) / 1000)} s\n`);
  run = await mkdtemp(join(tmpdir(), 'kvm-'));
  service = new LocalService({ stateDirectory, runDirectory: run, clock: systemClock });
  plane = await KVMPlane.start({ services: [service], endpoints: [new GivenEndpoint()] });
}, 40 * minute);

afterAll(async () => {
  try {
    await plane?.stop();
    service?.dispose();
  } finally {
    removeHost(run);
  }
});

it(
  'builds the same image from the same packages: disk, kernel and initramfs',
  async () => {
    // Files in the store are named by their digest.
    expect(await built('e2e-again')).toEqual(image);
  },
  60 * minute,
);

/** Bootstrap data as the kubeadm bootstrap provider writes it. */
const bootstrapData = `## template: jinja
#cloud-config

write_files:
-   path: /run/kubeadm/kubeadm.yaml
    owner: root:root
    permissions: '0640'
    content: |
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: ClusterConfiguration
      clusterName: one
      kubernetesVersion: v1.36.3
      ---
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: InitConfiguration
      nodeRegistration:
        name: '{{ ds.meta_data.local_hostname }}'
        kubeletExtraArgs:
        - name: provider-id
          value: 'kvm://{{ ds.meta_data.instance_id }}'
-   path: /run/cluster-api/placeholder
    content: "x"
runcmd:
  - 'grep -q "name: .node." /run/kubeadm/kubeadm.yaml && touch /run/cluster-api/data-rendered'
  - 'kubeadm init phase certs ca --config /run/kubeadm/kubeadm.yaml && touch /run/cluster-api/kubeadm-started'
  - 'kubeadm init --config /run/kubeadm/kubeadm.yaml  && echo success > /run/cluster-api/bootstrap-success.complete'
`;

it(
  'boots, and cloud-init runs the bootstrap data up to the kubeadm command',
  async () => {
    await plane.createCluster('one', {
      controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 },
      controlPlaneExposure: { type: 'External' },
    });
    await plane.provisionCluster('one');
    const started = Date.now();
    const spec = {
      image: { name: 'e2e' },
      resources: { cpu: 2, memory: '2Gi', disk: '8Gi' },
      shutdown: { gracePeriodSeconds: 60 },
    };
    await plane.createMachine('node', { cluster: 'one', controlPlane: true, data: bootstrapData, spec });
    const { spec: machine, status } = await plane.untilMachine(
      'node',
      (one) => one.status?.machineState === 'running',
      5 * minute,
    );
    const agent = join(run, (machine?.providerID?.slice(6) ?? '').replaceAll('-', '').slice(0, 12), 'a.sock');
    const seconds = (): number => Math.round((Date.now() - started) / 1000);
    for (const file of ['data-rendered', 'kubeadm-started']) {
      const path = `/run/cluster-api/${file}`;
      while ((await guestHasFile(agent, path, systemClock)) !== true) {
        expect(seconds(), `${path} does not exist; see ${status?.vm?.consolePath ?? ''}`).toBeLessThan(25 * 60);
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
      process.stdout.write(`${file} after ${seconds()} s\n`);
    }
    await plane.client.delete(kvmMachines, keyOf('node'));
    await plane.untilGone(kvmMachines, keyOf('node'), 3 * minute);
  },
  60 * minute,
);

it(
  'becomes Ready nodes, a control plane and a worker, with hardware acceleration',
  async () => {
    const { accelerator, why = '' } = await chooseAccelerator({
      program: 'qemu-system-x86_64',
      directory: stateDirectory,
    });
    expect(['kvm', 'tcg']).toContain(accelerator);
    if (accelerator !== 'kvm') {
      process.stdout.write(`no hardware acceleration (${why}): it ended at the kubeadm command\n`);
      return;
    }
    const files = await clusterFiles(peers, join(stateDirectory, 'node-files'));
    const options = { name: 'e2e-cluster', imageDirectory, suite: 'bookworm', packages: [], files };
    await buildNodeImage({
      ...options,
      diskBytes: 5 * 1024 ** 3,
      sourceDateEpoch: 0,
      onProgress: (step) => process.stdout.write(`${step}\n`),
    });
    await plane.createCluster('two', {
      controlPlaneEndpoint: { host: controlPlaneAddress, port: 6443 },
      controlPlaneExposure: { type: 'External' },
    });
    await plane.provisionCluster('two');
    const spec = { image: { name: 'e2e-cluster' }, resources: { cpu: 2, memory: '2Gi', disk: '8Gi' } };
    const started = Date.now();
    await plane.createMachine('first', {
      cluster: 'two',
      controlPlane: true,
      data: controlPlaneData,
      spec: { ...spec, network: { ipAddresses: [`${controlPlaneAddress}/24`] } },
    });
    await plane.createMachine('second', { cluster: 'two', data: workerData, spec });
    // The control plane machine reports when both nodes are Ready.
    await plane.waitForMachine('first', 'BootstrapSucceeded', 'Succeeded', 20 * minute);
    process.stdout.write(
      `hardware acceleration: two Ready nodes after ${Math.round((Date.now() - started) / 1000)} s\n`,
    );
    for (const name of ['second', 'first']) {
      await plane.client.delete(kvmMachines, keyOf(name));
      await plane.untilGone(kvmMachines, keyOf(name), 3 * minute);
    }
  },
  90 * minute,
);
