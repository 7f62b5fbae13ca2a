import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseYamlValue } from '@slipway/kube';
import { afterAll, describe, expect, it } from 'vitest';
import { peerBinary } from '../support/peer-process.js';

/**
 * Validates the golden bootstrap data with the real programs: Cluster API's packages render the same bytes from the same input,
 * the data matches cloud-init's schema, and kubeadm accepts its documents.
 */
const folder = fileURLToPath(new URL('../../packages/kubeadm/src/bootstrap-data/testdata/', import.meta.url));
const temporary = mkdtempSync(join(tmpdir(), 'bootstrap-data-'));
afterAll(() => rmSync(temporary, { recursive: true }));

interface Case {
  readonly role: string;
  readonly version: string;
  /** Whether upstream supports this input. */
  readonly upstream: boolean;
  readonly cluster: { readonly metadata: { readonly name: string }; readonly spec: ClusterSpec };
  readonly spec: { readonly format?: string; readonly [field: string]: unknown };
  readonly certificates?: object;
}

interface ClusterSpec {
  readonly controlPlaneEndpoint: { readonly host: string; readonly port: number };
  readonly clusterNetwork?: {
    readonly serviceDomain: string;
    readonly services: { readonly cidrBlocks: readonly string[] };
    readonly pods: { readonly cidrBlocks: readonly string[] };
  };
}

const names = readdirSync(folder)
  .filter((file) => file.endsWith('.input.json'))
  .map((file) => file.replace('.input.json', ''));

function inputOf(name: string): Case {
  return JSON.parse(readFileSync(`${folder}${name}.input.json`, 'utf8')) as Case;
}

function goldenOf(name: string): string {
  return readFileSync(`${folder}${name}.${inputOf(name).spec.format === 'ignition' ? 'json' : 'yaml'}`, 'utf8');
}

/**
 * Returns the request with the values that upstream's controller adds before rendering: cluster values, the endpoint, the worker
 * taint.
 */
function requestOf(given: Case): object {
  const { controlPlaneEndpoint: endpoint, clusterNetwork: network } = given.cluster.spec;
  const host = endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host;
  const spec = structuredClone(given.spec) as Record<string, Record<string, Record<string, unknown[]>>>;
  if (given.role === 'init')
    Object.assign((spec['clusterConfiguration'] ??= {}), { controlPlaneEndpoint: `${host}:${endpoint.port}` });
  if (given.role === 'worker-join') {
    const registration = ((spec['joinConfiguration'] ??= {})['nodeRegistration'] ??= {});
    const taint = { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' };
    registration['taints'] = [...(registration['taints'] ?? []), taint];
  }
  const facts = {
    clusterName: given.cluster.metadata.name,
    kubernetesVersion: given.version,
    ...(network === undefined
      ? {}
      : {
          dnsDomain: network.serviceDomain,
          serviceSubnet: network.services.cidrBlocks.join(','),
          podSubnet: network.pods.cidrBlocks.join(','),
        }),
  };
  const { role, version, certificates } = given;
  return { role, version, spec, cluster: facts, certificates };
}

/** Returns the content of a data URL with one character per byte, because it may be binary. */
function bytesText(source: string): string {
  return source.replace(/%([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
}

/** Removes comments in files and units, which are not compared. */
function withoutComments(ignition: string): unknown {
  const strip = (text: string): string =>
    text
      .split('\n')
      .map((line) => line.replace(/(?:^|\s)#(?!!).*$/, ''))
      .filter((line) => line !== '')
      .join('\n');
  return JSON.parse(ignition, (key, value: unknown) => {
    if (key === 'source' && typeof value === 'string' && value.startsWith('data:,'))
      return strip(bytesText(value.slice('data:,'.length)));
    return key === 'contents' && typeof value === 'string' ? strip(value) : value;
  });
}

describe('compared with Cluster API', () => {
  it.each(names.filter((name) => inputOf(name).upstream))('renders the same data for %s', (name) => {
    const given = inputOf(name);
    const { status, stdout, stderr } = spawnSync(peerBinary('kubeadm-bootstrap'), {
      input: JSON.stringify(requestOf(given)),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const comparable = given.spec.format === 'ignition' ? withoutComments : (text: string): unknown => text;
    expect(comparable(goldenOf(name))).toEqual(comparable(stdout));
  });
});

const hasCloudInit = spawnSync('cloud-init', ['--version']).status === 0;

describe.skipIf(!hasCloudInit)(
  `cloud-init schema${hasCloudInit ? '' : ': not checked, install the Debian package cloud-init'}`,
  () => {
    const cloudConfigs = names.filter((name) => inputOf(name).spec.format !== 'ignition');
    it.each(cloudConfigs)('accepts %s', (name) => {
      // Remove the header: the schema command does not render templates, and without the header the data is a plain cloud-config.
      const file = join(temporary, `${name}.yaml`);
      writeFileSync(file, goldenOf(name).replace('## template: jinja\n', ''));
      const { status, stdout, stderr } = spawnSync('cloud-init', ['schema', '--config-file', file], {
        encoding: 'utf8',
      });
      expect(`${status} ${stdout}${stderr}`).toMatch(/^0 Valid /);
    });
  },
);

/** Returns the kubeadm documents inside bootstrap data. */
function documentsOf(name: string): string {
  if (inputOf(name).spec.format === 'ignition') {
    const { storage } = JSON.parse(goldenOf(name)) as {
      readonly storage: {
        readonly files: readonly { readonly path: string; readonly contents: { readonly source: string } }[];
      };
    };
    const source = storage.files.find((file) => file.path === '/etc/kubeadm.yml')?.contents.source ?? '';
    return bytesText(source.replace('data:,', ''));
  }
  const whole: unknown = parseYamlValue(goldenOf(name));
  const { write_files: files } = whole as {
    readonly write_files: readonly { readonly path: string; readonly content: string }[];
  };
  return files.find((file) => file.path.startsWith('/run/kubeadm/'))?.content ?? '';
}

describe('kubeadm config validate', () => {
  it.each(names)('accepts the documents of %s', (name) => {
    const file = join(temporary, `${name}.kubeadm.yaml`);
    const kubeconfig = join(temporary, 'discovery.conf');
    writeFileSync(kubeconfig, 'apiVersion: v1\nkind: Config\n');
    const documents = documentsOf(name)
      // The values that the template engine on the machine would set.
      .replaceAll('{{ ds.meta_data.local_hostname }}', 'node-1')
      // kubeadm requires the file, and rejects Kubernetes versions much older than its own although it reads their API.
      .replace('/etc/kubernetes/discovery.conf', kubeconfig)
      .replace(/kubernetesVersion: .*/, 'kubernetesVersion: v1.36.3');
    writeFileSync(file, documents);
    const { status, stdout, stderr } = spawnSync(peerBinary('kubeadm'), ['config', 'validate', '--config', file], {
      encoding: 'utf8',
    });
    expect(`${status} ${stdout}${stderr}`).toMatch(/^0 ok\n/);
  });
});
