import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findNodeFiles, NodeFilesMissing, prepareNodeFiles } from './index.js';

const version = 'v1.36.3';
const images = [
  'kube-apiserver:v1.36.3',
  'kube-controller-manager:v1.36.3',
  'kube-scheduler:v1.36.3',
  'coredns/coredns:v1.14.2',
  'pause:3.10',
  'etcd:3.6.8-0',
];
const kubeadm = `#!/bin/sh
case $1 in
  version) echo ${version} ;;
  config) ${images.map((name) => `echo registry.k8s.io/${name}`).join('; ')} ;;
esac
`;
const programs: Readonly<Record<string, string>> = {
  kubelet: `#!/bin/sh\necho Kubernetes ${version}\n`,
  kubeadm,
  ...Object.fromEntries(
    [
      'containerd',
      'containerd-shim-runc-v2',
      'ctr',
      'runc',
      'kube-apiserver',
      'kube-controller-manager',
      'kube-scheduler',
      'pause',
      'etcd',
    ].map((name) => [name, `#!/bin/sh\n# ${name}\n`]),
  ),
  ...Object.fromEntries(['loopback', 'ptp', 'host-local'].map((name) => [`cni/${name}`, '#!/bin/sh\n'])),
};

// Writing archives needs GNU tar.
describe.runIf(process.platform === 'linux')('the files of a node', () => {
  let from: string;
  let folder: string;
  const write = (name: string, text: string): void => {
    writeFileSync(join(from, name), text);
    chmodSync(join(from, name), 0o755);
  };
  beforeEach(() => {
    from = mkdtempSync(join(tmpdir(), 'programs-'));
    folder = mkdtempSync(join(tmpdir(), 'node-files-'));
    mkdirSync(join(from, 'cni'));
    for (const [name, text] of Object.entries(programs)) write(name, text);
  });
  afterEach(() => {
    for (const each of [from, folder]) rmSync(each, { recursive: true });
  });

  it('are programs, plugins and images; those of the version take precedence', async () => {
    mkdirSync(join(from, version));
    write(join(version, 'etcd'), '#!/bin/sh\n# of this version\n');
    const files = await prepareNodeFiles({ version: '1.36.3', from, folder });
    expect(files).toEqual(await findNodeFiles(folder, version));
    expect(files.sandboxImage).toBe('registry.k8s.io/pause:3.10');
    // The programs for a CoreDNS image are missing.
    expect(files.images.map(({ name }) => name)).toEqual(
      images.filter((name) => !name.startsWith('coredns')).map((name) => `registry.k8s.io/${name}`),
    );
    expect(readdirSync(join(files.directory, 'bin')).sort()).toEqual([
      'containerd',
      'containerd-shim-runc-v2',
      'ctr',
      'kubeadm',
      'kubelet',
      'runc',
    ]);
    expect(programIn(join(files.directory, 'images/etcd.tar'), 'etcd')).toContain('of this version');
    expect(readdirSync(folder)).toEqual([version]);
  });

  it('include the images of add-ons whose programs are found, with the programs that they run', async () => {
    write(
      'kubeadm',
      kubeadm.replace('registry.k8s.io/pause', 'registry.k8s.io/kube-proxy:v1.36.3; echo registry.k8s.io/pause'),
    );
    const further = ['kube-proxy', 'coredns', 'pod-network', 'nft', 'metrics-server', 'local-path-provisioner'];
    for (const name of further) write(name, `#!/bin/sh\n# ${name}\n`);
    write('busybox', '#!/bin/sh\necho busybox; echo sh; echo [\n');
    const { directory, images: found } = await prepareNodeFiles({ version, from, folder });
    expect(found.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'registry.k8s.io/kube-proxy:v1.36.3',
        'registry.k8s.io/coredns/coredns:v1.14.2',
        'slipway.local/pod-network:v1',
        'docker.io/rancher/local-path-provisioner:v0.0.30',
        'registry.k8s.io/metrics-server/metrics-server:v0.9.0',
        'slipway.local/busybox:v1',
      ]),
    );
    expect(programIn(join(directory, 'images/kube-proxy.tar'), 'nft')).toContain('# nft');
    expect(filesIn(join(directory, 'images/busybox.tar'))).toContain('./bin/sh -> /usr/local/bin/busybox');
  });

  it('include images with a reference, identical for identical programs', async () => {
    const first = await prepareNodeFiles({ version, from, folder });
    const archive = join(first.directory, 'images/pause.tar');
    const before = readFileSync(archive);
    const index = JSON.parse(execFileSync('tar', ['-xOf', archive, './index.json'], { encoding: 'utf8' })) as {
      manifests: { annotations: Record<string, string> }[];
    };
    expect(index.manifests[0]?.annotations).toEqual({ 'io.containerd.image.name': 'registry.k8s.io/pause:3.10' });
    await prepareNodeFiles({ version, from, folder });
    expect(readFileSync(archive).equals(before)).toBe(true);
  });

  it('include image archives unchanged', async () => {
    mkdirSync(join(from, 'images'));
    writeFileSync(join(from, 'images/all.tar'), 'as it is');
    const { images: found, directory } = await prepareNodeFiles({ version, from, folder });
    expect(found.map(({ file }) => file)).toEqual(['all.tar']);
    expect(readFileSync(join(directory, 'images/all.tar'), 'utf8')).toBe('as it is');
  });

  it.each([
    { name: 'no version', given: { version: 'newest' }, expected: 'newest is not a Kubernetes version' },
    { name: 'another version', given: { version: 'v1.35.0' }, expected: `has version ${version}, not v1.35.0` },
    { name: 'a missing program', without: 'runc', expected: 'does not contain runc' },
    { name: 'a missing plugin', without: 'cni/ptp', expected: 'does not contain ptp' },
    { name: 'an image without a recipe', without: 'kube-scheduler', expected: 'does not contain kube-scheduler' },
  ])('fails for $name, and leaves no files behind', async ({ given, without, expected }) => {
    if (without !== undefined) rmSync(join(from, without));
    await expect(prepareNodeFiles({ version, from, folder, ...given })).rejects.toThrow(expected);
    expect(readdirSync(folder)).toEqual([]);
    await expect(findNodeFiles(folder, version)).rejects.toThrow(NodeFilesMissing);
  });
});

/** Reads a program from the single layer of an image. */
function programIn(archive: string, name: string): string {
  const input = layerOf(archive);
  return execFileSync('tar', ['-xOf', '-', `./usr/local/bin/${name}`], { input, encoding: 'utf8' });
}

/** Lists the files in the single layer of an image. */
function filesIn(archive: string): string {
  return execFileSync('tar', ['-tvf', '-'], { input: layerOf(archive), encoding: 'utf8' });
}

function layerOf(archive: string): Buffer {
  const read = (path: string): string => execFileSync('tar', ['-xOf', archive, path], { encoding: 'utf8' });
  const blob = (digest: string): string => `./blobs/sha256/${digest.replace('sha256:', '')}`;
  const { manifests } = JSON.parse(read('./index.json')) as { manifests: { digest: string }[] };
  const { layers } = JSON.parse(read(blob(manifests[0]?.digest ?? ''))) as { layers: { digest: string }[] };
  return execFileSync('tar', ['-xOf', archive, blob(layers[0]?.digest ?? '')]);
}
