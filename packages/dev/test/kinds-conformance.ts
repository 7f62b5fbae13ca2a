import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Call } from './raw-request.js';

export interface KindsTarget {
  readonly call: Call;
  stop(): Promise<void>;
}

const path = (plural: string, version = 'v1beta2'): string =>
  `/apis/cluster.x-k8s.io/${version}/namespaces/default/${plural}`;
const infrastructure = 'infrastructure.cluster.x-k8s.io';

const oldCluster = (name: string, spec?: object): object => ({
  apiVersion: 'cluster.x-k8s.io/v1beta1',
  kind: 'Cluster',
  metadata: { name },
  ...(spec === undefined ? {} : { spec }),
});
const oldReference = (name: string, kind = 'DevCluster'): object => ({
  apiVersion: `${infrastructure}/v1beta1`,
  kind,
  name,
  namespace: 'default',
});

const deployment = (name: string, version = 'v1beta2', spec: object = {}): object => ({
  apiVersion: `cluster.x-k8s.io/${version}`,
  kind: 'MachineDeployment',
  metadata: { name },
  spec: {
    clusterName: 'c',
    selector: {},
    template: {
      spec: {
        clusterName: 'c',
        version: '1.36.0',
        bootstrap: { dataSecretName: 'data' },
        infrastructureRef:
          version === 'v1beta1'
            ? oldReference('m', 'DevMachineTemplate')
            : { apiGroup: infrastructure, kind: 'DevMachineTemplate', name: 'm' },
      },
    },
    ...spec,
  },
});
const conversionData = 'cluster.x-k8s.io/conversion-data';

/** Defines tests of admission and conversion over HTTPS, which are the same for in-process code and webhooks. */
export function kindsConformance(name: string, start: () => Promise<KindsTarget>): void {
  describe(`the kinds of Cluster API ${name}`, () => {
    let target: KindsTarget;
    const call: Call = (...request) => target.call(...request);

    beforeAll(async () => {
      target = await start();
    });
    afterAll(() => target?.stop());

    it('are listed by their category', async () => {
      const { body } = await call('GET', '/apis/cluster.x-k8s.io/v1beta2');
      const found = (body.resources as { name: string; categories?: string[] }[])
        .filter(({ categories }) => categories?.includes('cluster-api') === true)
        .map((resource) => resource.name);
      expect(found).toEqual(
        expect.arrayContaining(['clusters', 'machines', 'machinesets', 'machinedeployments', 'machinehealthchecks']),
      );
    });

    it('can be read in both versions when created in the old one, with references at the contract version', async () => {
      const network = { clusterNetwork: { pods: { cidrBlocks: ['10.0.0.0/8'] } } };
      const spec = { infrastructureRef: oldReference('c'), ...network };
      const read = { infrastructureRef: { ...oldReference('c'), apiVersion: `${infrastructure}/v1beta2` }, ...network };
      const made = await call('POST', path('clusters', 'v1beta1'), oldCluster('c', spec));
      expect(made).toMatchObject({ code: 201, body: { apiVersion: 'cluster.x-k8s.io/v1beta1', spec: read } });
      const { body: stored } = await call('GET', `${path('clusters')}/c`);
      const infrastructureRef = { apiGroup: infrastructure, kind: 'DevCluster', name: 'c' };
      expect(stored.spec).toEqual({ infrastructureRef, ...network });
      const { body: old } = await call('GET', `${path('clusters', 'v1beta1')}/c`);
      expect(old.spec).toEqual(read);
    });

    it('keep fields that the old version cannot express when a client writes it back', async () => {
      const { body: stored } = await call('GET', `${path('clusters')}/c`);
      const status = { controlPlane: { desiredReplicas: 3 }, initialization: { infrastructureProvisioned: true } };
      expect((await call('PUT', `${path('clusters')}/c/status`, { ...stored, status })).code).toBe(200);
      const { body: old } = await call('GET', `${path('clusters', 'v1beta1')}/c`);
      const changed = { ...old, spec: { ...old.spec, paused: true } };
      expect((await call('PUT', `${path('clusters', 'v1beta1')}/c`, changed)).code).toBe(200);
      const { body: after } = await call('GET', `${path('clusters')}/c`);
      expect(after.spec.paused).toBe(true);
      expect(after.status).toEqual(status);
      expect(after.metadata.annotations?.[conversionData]).toBeUndefined();
    });

    it.each(['v1beta1', 'v1beta2'])('get their defaults when written as %s', async (version) => {
      const made = await call('POST', path('machinedeployments', version), deployment(`md-${version}`, version));
      expect(made.code).toBe(201);
      const { body } = await call('GET', `${path('machinedeployments')}/md-${version}`);
      const selected = {
        'cluster.x-k8s.io/cluster-name': 'c',
        'cluster.x-k8s.io/deployment-name': `md-${version}`,
      };
      expect(body).toMatchObject({
        metadata: { labels: { 'cluster.x-k8s.io/cluster-name': 'c' } },
        spec: {
          replicas: 1,
          rollout: {
            strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          },
          selector: { matchLabels: selected },
          template: { metadata: { labels: selected }, spec: { version: 'v1.36.0' } },
        },
      });
      expect(body.metadata.annotations?.[conversionData]).toBeUndefined();
    });

    it('do not make the defaulting field manager own its defaults', async () => {
      const { body } = await call('GET', `${path('machinedeployments')}/md-v1beta2`);
      const owned = JSON.stringify(body.metadata.managedFields);
      expect(owned).toContain('f:clusterName');
      expect(owned).not.toMatch(/f:(replicas|rollout|labels)/);
    });

    it.each(['v1beta1', 'v1beta2'])('are rejected with causes when written as %s', async (version) => {
      const spec = {
        ...(version === 'v1beta1' ? { infrastructureRef: oldReference('c') } : {}),
        ...(version === 'v1beta2'
          ? { infrastructureRef: { apiGroup: infrastructure, kind: 'DevCluster', name: 'c' } }
          : {}),
        clusterNetwork: { pods: { cidrBlocks: ['nonsense'] } },
      };
      const desired = { ...oldCluster('bad', spec), apiVersion: `cluster.x-k8s.io/${version}` };
      const { code, body } = await call('POST', path('clusters', version), desired);
      const problem = 'Invalid value: "nonsense": invalid CIDR address: nonsense';
      const field = 'spec.clusterNetwork.pods.cidrBlocks[0]';
      expect({ code, body }).toEqual({
        code: 422,
        body: {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: `admission webhook "validation.cluster.cluster.x-k8s.io" denied the request: Cluster.cluster.x-k8s.io "bad" is invalid: ${field}: ${problem}`,
          reason: 'Invalid',
          details: {
            name: 'bad',
            group: 'cluster.x-k8s.io',
            kind: 'Cluster',
            causes: [{ reason: 'FieldValueInvalid', message: problem, field }],
          },
          code: 422,
        },
      });
    });

    it('reject an old object without a spec, and a change of an immutable field', async () => {
      const empty = await call('POST', path('clusters', 'v1beta1'), oldCluster('empty'));
      expect(empty).toMatchObject({
        code: 422,
        body: { details: { causes: [{ reason: 'FieldValueRequired', field: 'spec' }] } },
      });
      const change = { spec: { clusterName: 'other', template: { spec: { clusterName: 'other' } } } };
      const merge = 'application/merge-patch+json';
      const moved = await call('PATCH', `${path('machinedeployments')}/md-v1beta2`, change, merge);
      expect(moved).toMatchObject({
        code: 422,
        body: {
          reason: 'Invalid',
          details: { causes: expect.arrayContaining([expect.objectContaining({ field: 'spec.clusterName' })]) },
        },
      });
    });

    it('have a scale subresource in both versions', async () => {
      for (const [version, replicas] of [
        ['v1beta1', 3],
        ['v1beta2', 5],
      ] as const) {
        const scale = `${path('machinedeployments', version)}/md-v1beta2/scale`;
        const { body } = await call('GET', scale);
        expect(body).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name: 'md-v1beta2' } });
        const scaled = await call('PUT', scale, { ...body, spec: { replicas } });
        expect(scaled).toMatchObject({ code: 200, body: { spec: { replicas } } });
        const { body: stored } = await call('GET', `${path('machinedeployments')}/md-v1beta2`);
        expect(stored.spec.replicas).toBe(replicas);
      }
    });

    it('are applied by two managers, each in its own version', async () => {
      const apply = (version: string, manager: string, spec: object): ReturnType<Call> =>
        call(
          'PATCH',
          `${path('machinedeployments', version)}/applied?fieldManager=${manager}`,
          { ...deployment('applied', version), ...spec },
          'application/apply-patch+yaml',
        );
      const identity = (version: string): object => ({
        apiVersion: `cluster.x-k8s.io/${version}`,
        kind: 'MachineDeployment',
        metadata: { name: 'applied' },
      });
      expect((await apply('v1beta1', 'old', {})).code).toBe(201);
      const second = await apply('v1beta2', 'new', { ...identity('v1beta2'), spec: { paused: true } });
      expect(second.code).toBe(200);
      const { body } = await call('GET', `${path('machinedeployments')}/applied`);
      const managers = (body.metadata.managedFields as { manager: string; apiVersion: string }[]).map(
        ({ manager, apiVersion }) => `${manager} ${apiVersion}`,
      );
      expect(managers).toEqual(
        expect.arrayContaining(['old cluster.x-k8s.io/v1beta1', 'new cluster.x-k8s.io/v1beta2']),
      );
      expect(body.spec).toMatchObject({ clusterName: 'c', paused: true });
      // Fields that the old manager no longer applies are removed, although it applied them in another version.
      const given = { ...deployment('applied', 'v1beta1', { minReadySeconds: 7 }) };
      expect((await apply('v1beta1', 'old', given)).code).toBe(200);
      const { body: with7 } = await call('GET', `${path('machinedeployments')}/applied`);
      expect(with7.spec.template.spec.minReadySeconds).toBe(7);
      expect((await apply('v1beta1', 'old', {})).code).toBe(200);
      const { body: without } = await call('GET', `${path('machinedeployments')}/applied`);
      expect(without.spec.template.spec.minReadySeconds).toBeUndefined();
      expect(without.spec.paused).toBe(true);
    });

    it('report the missing CRD when an old reference cannot be converted', async () => {
      const reference = { apiGroup: 'missing.example.com', kind: 'Raft', name: 'r' };
      const unknown = {
        ...oldCluster('raft', { infrastructureRef: reference }),
        apiVersion: 'cluster.x-k8s.io/v1beta2',
      };
      expect((await call('POST', path('clusters'), unknown)).code).toBe(201);
      const { code, body } = await call('GET', `${path('clusters', 'v1beta1')}/raft`);
      expect(code).toBe(500);
      expect(body.message).toContain('rafts.missing.example.com: the CRD is not installed');
    });
  });
}
