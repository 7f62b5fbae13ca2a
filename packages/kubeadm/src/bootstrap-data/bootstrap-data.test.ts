import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Secret } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { controlPlaneCertificates } from '../certificates/index.js';
import { createBootstrapData } from './bootstrap-data.js';
import type { BootstrapRole, ClusterView, KubeadmConfigSpecView } from './types.js';

interface Case {
  readonly role: BootstrapRole;
  readonly version: string;
  readonly controlPlaneVersion?: string;
  readonly cluster: ClusterView;
  readonly spec: KubeadmConfigSpecView;
  readonly certificates?: Readonly<Record<string, { readonly cert: string; readonly key: string }>>;
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const folder = fileURLToPath(new URL('testdata/', import.meta.url));
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.input.json'))
  .map((file) => file.replace('.input.json', ''));

function read(name: string): Case {
  return JSON.parse(readFileSync(`${folder}${name}.input.json`, 'utf8')) as Case;
}

function render(given: Case): string {
  const certificates = controlPlaneCertificates(given.spec.clusterConfiguration).map((certificate) => {
    const pair = given.certificates?.[certificate.purpose];
    return pair === undefined ? certificate : { ...certificate, keyPair: { certificate: pair.cert, key: pair.key } };
  });
  const secrets = Object.entries(given.secrets ?? {}).map(([name, data]): [string, Secret] => [
    name,
    { apiVersion: 'v1', kind: 'Secret', metadata: { name }, data },
  ]);
  return createBootstrapData({
    role: given.role,
    config: { metadata: { name: 'machine' }, spec: given.spec as never },
    cluster: given.cluster,
    kubernetesVersion: given.version,
    ...(given.controlPlaneVersion === undefined ? {} : { controlPlaneVersion: given.controlPlaneVersion }),
    certificates,
    secrets: new Map(secrets),
  }).value;
}

describe('bootstrap data', () => {
  it.each(names)('matches the reviewed output: %s', async (name) => {
    const given = read(name);
    const ending = given.spec.format === 'ignition' ? 'json' : 'yaml';
    await expect(render(given)).toMatchFileSnapshot(`testdata/${name}.${ending}`);
  });
});
