import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Observed, ObjectSet } from '../objects/index.js';
import { supportedMinors } from './checks/server.js';
import type { Area } from './diagnosis.js';
import { examine } from './examine.js';
import type { Facts } from './facts.js';
import { readWebhooks } from './webhooks.js';

const gibibyte = 1_024 ** 3;

function found(area: Area, facts: Partial<Facts>, objects: readonly object[] = []): readonly string[] {
  const { diagnoses } = examine({
    set: new ObjectSet({ objects: objects as readonly Observed[], definitions: [], events: [] }),
    nowMs: 0,
    certificates: [],
    inventory: [],
    deployments: [],
    webhooks: [],
    refused: [],
    serverVersion: undefined,
    ownCertificateNotAfterMs: undefined,
    airGapped: false,
    ...facts,
  });
  return diagnoses
    .filter((one) => one.area === area)
    .map(
      ({ severity, what, where }) => `${severity}${where === undefined ? '' : ` ${where.kind} ${where.name}`}: ${what}`,
    );
}

describe('the check of the storage', () => {
  const metrics = (size: number, free?: number): string =>
    [
      '# TYPE apiserver_storage_size_bytes gauge',
      `apiserver_storage_size_bytes{storage_cluster_id="etcd-0"} ${size.toExponential()}`,
      ...(free === undefined ? [] : [`slipway_storage_available_bytes ${free}`]),
      '',
    ].join('\n');

  it.each([
    { title: 'much free space', text: metrics(0.1 * gibibyte, 5 * gibibyte), severity: undefined },
    { title: 'less than 1 GiB of free space', text: metrics(0.1 * gibibyte, 0.5 * gibibyte), severity: 'warning' },
    { title: 'less free space than data', text: metrics(4 * gibibyte, 3 * gibibyte), severity: 'warning' },
    { title: 'no free space', text: metrics(4 * gibibyte, 0), severity: 'error' },
    { title: 'etcd far below its default quota', text: metrics(1 * gibibyte), severity: undefined },
    { title: 'etcd near its default quota', text: metrics(1.7 * gibibyte), severity: 'warning' },
    { title: 'etcd with a raised quota', text: metrics(3 * gibibyte), severity: undefined },
    { title: 'etcd near the highest recommended quota', text: metrics(7 * gibibyte), severity: 'warning' },
    { title: 'a server without this metric', text: 'apiserver_request_total 3\n', severity: 'info' },
  ])('reports $title as $severity', ({ text, severity }) => {
    const texts = found('storage', { metrics: text });
    expect(texts.map((one) => one.split(':')[0])).toEqual(severity === undefined ? [] : [severity]);
  });
});

describe('the check of versions', () => {
  const versionsOf = (version: string): readonly string[] =>
    found('versions', {}, [
      {
        apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
        kind: 'KubeadmControlPlane',
        metadata: { name: 'demo', namespace: 'team', uid: 'demo' },
        spec: { version },
      },
    ]);

  it('reports clusters of versions that are not supported', () => {
    expect(versionsOf('v1.29.4')).toEqual([
      'warning KubeadmControlPlane demo: Kubernetes v1.29.4 is not supported; supported are v1.30 to v1.36',
    ]);
    expect(versionsOf('v1.37.0')).toHaveLength(1);
    expect([...versionsOf('v1.30.0'), ...versionsOf('v1.36.9')]).toEqual([]);
  });

  it('reports a management cluster of a version that is not supported', () => {
    expect(found('versions', { serverVersion: 'v1.32.9' })).toEqual([
      'warning: the management cluster runs Kubernetes v1.32.9; supported are v1.33 to v1.36',
    ]);
    expect(found('versions', { serverVersion: 'v1.33.0' })).toEqual([]);
  });

  it('uses the versions of docs/reference/supported-versions.md', () => {
    const page = readFileSync(new URL('../../../../docs/reference/supported-versions.md', import.meta.url), 'utf8');
    const { management, workload } = supportedMinors;
    expect(page).toContain(
      `| Kubernetes of an existing management cluster | 1.${management.min} to 1.${management.max} |`,
    );
    expect(page).toContain(`| Kubernetes of workload clusters | 1.${workload.min} to 1.${workload.max} |`);
  });
});

describe('the check of webhooks', () => {
  const service = (name: string): object => ({ service: { namespace: 'system', name } });
  const served: Readonly<Record<string, readonly object[]>> = {
    ValidatingWebhookConfiguration: [
      {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: 'ValidatingWebhookConfiguration',
        metadata: { name: 'policies' },
        webhooks: [
          { name: 'required', clientConfig: service('absent') },
          { name: 'optional', failurePolicy: 'Ignore', clientConfig: service('absent') },
          { name: 'served', clientConfig: service('present') },
          { name: 'elsewhere', clientConfig: { url: 'https://policies.example.com' } },
        ],
      },
    ],
    CustomResourceDefinition: [
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'fogs.example.com' },
        spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: service('absent') } } },
      },
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'hazes.example.com' },
        spec: { conversion: { strategy: 'None' } },
      },
    ],
    ExtensionConfig: [
      {
        apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
        kind: 'ExtensionConfig',
        metadata: { name: 'hooks' },
        spec: { clientConfig: service('absent') },
      },
    ],
    EndpointSlice: [
      {
        apiVersion: 'discovery.k8s.io/v1',
        kind: 'EndpointSlice',
        metadata: { name: 'present-1', namespace: 'system', labels: { 'kubernetes.io/service-name': 'present' } },
        endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }],
      },
    ],
  };

  it('reports webhooks of admission, conversion and runtime extensions whose Service has no endpoints', async () => {
    const webhooks = await readWebhooks(({ kind }) => Promise.resolve((served[kind] ?? []) as readonly Observed[]));
    expect(found('webhooks', { webhooks })).toEqual([
      expect.stringMatching(/^error ValidatingWebhookConfiguration policies: .* required .*: the API server rejects/),
      expect.stringMatching(
        /^error CustomResourceDefinition fogs.example.com: .* in other versions than the stored one/,
      ),
      expect.stringMatching(/^error ExtensionConfig hooks: .* Clusters that require this runtime extension/),
      expect.stringMatching(/^warning ValidatingWebhookConfiguration policies: .* optional .* skips this webhook/),
    ]);
  });
});

it('reports a VSphereVM that nothing owns as an orphan', () => {
  const vm = {
    apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
    kind: 'VSphereVM',
    metadata: { name: 'left', namespace: 'team', uid: 'left' },
  };
  expect(found('orphans', {}, [vm])).toEqual([
    'warning VSphereVM left: the object has no owner and no Machine references it',
  ]);
  const owned = {
    ...vm,
    metadata: { ...vm.metadata, ownerReferences: [{ kind: 'VSphereMachine', name: 'm', uid: 'm' }] },
  };
  expect(found('orphans', {}, [owned])).toEqual([]);
});
