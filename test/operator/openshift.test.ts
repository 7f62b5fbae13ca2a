import { execFileSync } from 'node:child_process';
import { annotations, clusters, type Machine, machines, machineSets } from '@slipway/cluster-api';
import { type Frozen, isReason, type JsonObject, type KubeObject } from '@slipway/kube';
import { clusterOperators, mapiMachines, nodeBootstrapper } from '@slipway/openshift';
import {
  certificateSigningRequests,
  type Conditioned,
  getCondition,
  type HttpClient,
  nodes,
  type Resource,
} from '@slipway/runtime';
import { untilObject, untilObjectGone } from '@slipway/testing/plane';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { mapiMachine, providerSpecs } from '../../packages/openshift/test/migration-fixture.js';
import { peerBinary } from '../support/peer-process.js';
import { ask, connectAs, infraName, OpenShiftServer } from './openshift-server.js';

const namespace = 'openshift-cluster-api';
const mapiNamespace = 'openshift-machine-api';
const infrastructure = 'infrastructure.cluster.x-k8s.io';
const aws = (kind: string): Resource => ({
  group: infrastructure,
  version: 'v1beta2',
  kind,
  plural: `${kind.toLowerCase()}s`,
  namespaced: true,
});

describe('an OpenShift cluster on kube-apiserver', () => {
  let plane: OpenShiftServer;
  let client: HttpClient;
  let person: HttpClient;
  beforeAll(async () => {
    plane = await OpenShiftServer.start();
    ({ client, person } = plane);
  });
  afterAll(() => plane.stop());

  const statusOf = (object: Frozen<KubeObject>): JsonObject => (object['status'] as JsonObject | undefined) ?? {};

  it('creates Cluster and InfraCluster with the feature gate, Nodes with a MachineSet, and deletes all of them [operators 28]', async () => {
    await plane.setFeatureSet('TechPreviewNoUpgrade');
    await untilObject(
      client,
      clusters,
      { namespace, name: infraName },
      ({ status }) => status?.initialization?.infrastructureProvisioned === true,
    );
    const labels = { 'cluster.x-k8s.io/cluster-name': infraName, pool: 'workers' };
    await person.create(aws('AWSMachineTemplate'), {
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'AWSMachineTemplate',
      metadata: { namespace, name: 'workers' },
      spec: { template: { spec: { ami: { id: 'ami-1' }, uncompressedUserData: true } } },
    });
    await person.create(machineSets, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineSet',
      metadata: { namespace, name: 'workers', labels },
      spec: {
        clusterName: infraName,
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            clusterName: infraName,
            bootstrap: { dataSecretName: 'worker-user-data' },
            infrastructureRef: { apiGroup: infrastructure, kind: 'AWSMachineTemplate', name: 'workers' },
          },
        },
      },
    });
    await untilObject(client, machineSets, { namespace, name: 'workers' }, ({ status }) => status?.readyReplicas === 2);
    const joined = (await client.list(nodes)).items.map(({ metadata }) => metadata.name ?? '');
    expect(joined).toHaveLength(2);
    for (const name of joined) {
      const machine = name.replace('.demo.example.com', '');
      for (const purpose of ['client', 'serving'])
        await untilObject(
          client,
          certificateSigningRequests,
          { namespace: '', name: `csr-${purpose}-${machine}` },
          ({ status }) => status?.certificate !== undefined,
        );
    }
    await person.delete(machineSets, { namespace, name: 'workers' });
    await untilObjectGone(client, machineSets, { namespace, name: 'workers' });
    await expect.poll(async () => (await client.list(nodes)).items.length, { timeout: 60_000 }).toBe(0);
  });

  it('reports the approver in ClusterOperator machine-approver', async () => {
    const operator = await untilObject(
      client,
      clusterOperators,
      { namespace: '', name: 'machine-approver' },
      (one) => (one.status?.conditions ?? []).length === 4,
    );
    expect(operator.status).toMatchObject({
      versions: [{ name: 'operator', version: '4.20.0' }],
      relatedObjects: [
        { resource: 'namespaces', name: 'openshift-cluster-machine-approver' },
        { resource: 'certificatesigningrequests' },
      ],
    });
    expect(
      operator.status?.conditions?.map(({ type, status }) => `${type} ${status}`).sort((a, b) => (a < b ? -1 : 1)),
    ).toEqual(['Available True', 'Degraded False', 'Progressing False', 'Upgradeable True']);
  });

  describe('the approver', () => {
    const connect = (user: string, groups: readonly string[]): HttpClient => connectAs(plane.server, user, groups);
    let bootstrapper: HttpClient;
    beforeAll(async () => {
      bootstrapper = connect(nodeBootstrapper.username, nodeBootstrapper.groups);
      await person.create(machines, knownMachine('known'));
      await person.patch(
        machines,
        { namespace, name: 'known' },
        { type: 'merge', patch: { status: { addresses: addressesOf('known.example.com') } } },
        { subresource: 'status' },
      );
    });
    afterAll(() => bootstrapper.close());

    const addressesOf = (name: string) => [
      { type: 'InternalDNS', address: name },
      { type: 'InternalIP', address: '10.9.0.1' },
    ];
    const knownMachine = (name: string): Machine => ({
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      // Paused, so that only the approver processes it.
      metadata: { namespace, name, annotations: { [annotations.paused]: '' } },
      spec: {
        clusterName: infraName,
        bootstrap: { dataSecretName: 'worker-user-data' },
        infrastructureRef: { apiGroup: infrastructure, kind: 'AWSMachine', name },
      },
    });
    const isApproved = ({
      status,
    }: Frozen<KubeObject & { status?: { conditions?: readonly { type: string }[] } }>): boolean =>
      (status?.conditions ?? []).some(({ type }) => type === 'Approved');
    const key = (name: string) => ({ namespace: '', name });

    it('ignores names that only resemble that of a machine, and approves the correct one after them', async () => {
      const alike = [
        'known.example.com.evil.example',
        'known-example.com',
        'xknown.example.com',
        'known.example.co',
        'knovvn.example.com',
      ];
      for (const [index, name] of alike.entries()) await ask(bootstrapper, `alike-${index}`, name, 'client');
      await ask(bootstrapper, 'right', 'known.example.com', 'client');
      await untilObject(
        client,
        certificateSigningRequests,
        key('right'),
        ({ status }) => status?.certificate !== undefined,
      );
      for (const index of alike.keys())
        expect(isApproved(await client.get(certificateSigningRequests, key(`alike-${index}`)))).toBe(false);
    });

    it('approves serving certificates only with the names of the machine', async () => {
      await person.patch(
        machines,
        { namespace, name: 'known' },
        { type: 'merge', patch: { status: { nodeRef: { name: 'known.example.com' } } } },
        { subresource: 'status' },
      );
      const kubelet = connect('system:node:known.example.com', ['system:nodes']);
      await ask(kubelet, 'serving-wrong', 'known.example.com', 'serving', {
        dnsNames: ['known.example.com', 'api.example.com'],
      });
      await ask(kubelet, 'serving-right', 'known.example.com', 'serving', {
        dnsNames: ['known.example.com'],
        ipAddresses: ['10.9.0.1'],
      });
      const right = await untilObject(client, certificateSigningRequests, key('serving-right'), isApproved);
      expect(right.status?.conditions?.[0]).toMatchObject({ reason: 'NodeCSRApprove' });
      expect(isApproved(await client.get(certificateSigningRequests, key('serving-wrong')))).toBe(false);
      kubelet.close();
    });

    it('stops while too many requests are pending, reports it in its metrics, and continues afterwards [operators 47, operators 48]', async () => {
      await person.create(machines, knownMachine('late'));
      await person.patch(
        machines,
        { namespace, name: 'late' },
        { type: 'merge', patch: { status: { addresses: addressesOf('late.example.com') } } },
        { subresource: 'status' },
      );
      const flood = Array.from({ length: 112 }, (_, index) => `flood-${index}`);
      for (const name of flood) await ask(bootstrapper, name, `${name}.nowhere.example`, 'client');
      await ask(bootstrapper, 'late', 'late.example.com', 'client');
      const metrics = async (): Promise<Map<string, number>> => {
        const text = await (await fetch(`http://127.0.0.1:${plane.metricsPort()}/metrics`)).text();
        return new Map([...text.matchAll(/^(mapi_\w+) (\d+)$/gm)].map(([, name = '', value]) => [name, Number(value)]));
      };
      await expect
        .poll(
          async () => {
            const now = await metrics();
            return (now.get('mapi_current_pending_csr') ?? 0) > (now.get('mapi_max_pending_csr') ?? 0);
          },
          { timeout: 60_000 },
        )
        .toBe(true);
      expect(isApproved(await client.get(certificateSigningRequests, key('late')))).toBe(false);
      for (const name of flood) await person.delete(certificateSigningRequests, key(name));
      await untilObject(client, certificateSigningRequests, key('late'), isApproved);
    });
  });

  it('resolves the short name to one of the two APIs by group order, and the full names to either [R35, operators 54]', () => {
    const names = (resource: string, where: string): readonly string[] =>
      execFileSync(
        peerBinary('kubectl'),
        ['--kubeconfig', plane.server.kubeconfigFile, 'get', resource, '-n', where, '-o', 'name'],
        { encoding: 'utf8' },
      )
        .trim()
        .split('\n');
    expect(names('machine', namespace)).toContain('machine.cluster.x-k8s.io/known');
    expect(names('machines.cluster.x-k8s.io', namespace)).toContain('machine.cluster.x-k8s.io/known');
    const master = `machine.machine.openshift.io/${infraName}-master-0`;
    expect(names('machines.machine.openshift.io', mapiNamespace)).toContain(master);
  });

  describe('the admission policies', () => {
    const refusal = async (request: Promise<unknown>): Promise<string> => {
      try {
        await request;
        return '';
      } catch (error) {
        if (!isReason(error, 'Invalid') && !isReason(error, 'Forbidden')) throw error;
        return error.message;
      }
    };
    /** Retries a request until it is rejected: the API server enforces a new policy after a delay. */
    const refusalInTheEnd = (request: () => Promise<unknown>): Promise<string> =>
      vi.waitUntil(() => refusal(request()), { timeout: 60_000, interval: 100 });
    const dryRun = true;
    const mapiKey = (name: string) => ({ namespace: mapiNamespace, name });
    const capiKey = (name: string) => ({ namespace, name });
    const merge = (patch: JsonObject) => ({ type: 'merge', patch }) as const;
    const template = (spec: JsonObject): KubeObject => ({
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'AWSMachineTemplate',
      metadata: { namespace, generateName: 'refused-' },
      spec: { template: { spec } },
    });

    beforeAll(async () => {
      await plane.setFeatureSet('DevPreviewNoUpgrade');
      await person.create(mapiMachines, mapiMachine('moved', providerSpecs['AWS'] ?? {}, 'MachineAPI'));
      await untilObject(
        client,
        mapiMachines,
        mapiKey('moved'),
        (one) =>
          statusOf(one)['phase'] === 'Running' && getCondition(one as Conditioned, 'Synchronized')?.status === 'True',
      );
      await untilObject(
        client,
        machines,
        capiKey('moved'),
        ({ status }) => status?.initialization?.infrastructureProvisioned === true,
      );
    });

    it('reject fields of AWS machines that Machine API does not support [R33, operators 34]', async () => {
      for (const [field, spec] of Object.entries({
        uncompressedUserData: { uncompressedUserData: true },
        cloudInit: { cloudInit: { insecureSkipSecretsManager: true } },
        'ignition.proxy': { ignition: { proxy: { httpProxy: 'x' } } },
        'ami.eksLookupType': { ami: { eksLookupType: 'AmazonLinux' } },
      }))
        expect(
          await refusalInTheEnd(() => person.create(aws('AWSMachineTemplate'), template(spec), { dryRun })),
        ).toContain(`${field} is a forbidden field`);
      expect(
        await refusal(
          person.create(aws('AWSMachineTemplate'), template({ ignition: { storageType: 'UnencryptedUserData' } })),
        ),
      ).toBe('');
    });

    it('protect the twin while Machine API is authoritative, except labels without an owner', async () => {
      for (const [args, patch] of [
        ['Cannot change spec', { spec: { failureDomain: 'other' } }],
        ['protected labels', { metadata: { labels: { 'cluster.x-k8s.io/mine': 'x' } } }],
        ['protected annotations', { metadata: { annotations: { [annotations.paused]: null } } }],
      ] as const)
        expect(
          await refusalInTheEnd(() => person.patch(machines, capiKey('moved'), merge(patch), { dryRun })),
        ).toContain(args);
      expect(
        await refusal(person.patch(machines, capiKey('moved'), merge({ metadata: { labels: { mine: 'x' } } }))),
      ).toBe('');
    });

    it('reject fields that Machine API cannot express, and a second owner of one name', async () => {
      const spec = {
        clusterName: infraName,
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: { apiGroup: infrastructure, kind: 'AWSMachine', name: 'x' },
      };
      const machine = (name: string, more: object): Machine => ({
        apiVersion: 'cluster.x-k8s.io/v1beta2',
        kind: 'Machine',
        metadata: { namespace, name },
        spec: { ...spec, ...more },
      });
      expect(
        await refusalInTheEnd(() => person.create(machines, machine('new', { version: 'v1.30.0' }), { dryRun })),
      ).toContain('spec.version is forbidden');
      expect(
        await refusalInTheEnd(() =>
          person.create(mapiMachines, mapiMachine('known', providerSpecs['AWS'] ?? {}, 'MachineAPI'), { dryRun }),
        ),
      ).toContain('must be ClusterAPI');
    });

    it('prevent the deletion of the InfraCluster', async () => {
      expect(await refusalInTheEnd(() => person.delete(aws('AWSCluster'), capiKey(infraName), { dryRun }))).toContain(
        'cannot be deleted',
      );
    });

    it('freeze Machine API objects once Cluster API is authoritative, and allow handing them back', async () => {
      expect(
        await refusal(
          person.patch(mapiMachines, mapiKey('moved'), merge({ spec: { authoritativeAPI: 'ClusterAPI' } })),
        ),
      ).toBe('');
      await untilObject(
        client,
        mapiMachines,
        mapiKey('moved'),
        ({ status }) => status?.authoritativeAPI === 'ClusterAPI',
      );
      expect(
        await refusalInTheEnd(() =>
          person.patch(mapiMachines, mapiKey('moved'), merge({ spec: { providerID: 'aws:///x/i-1' } }), { dryRun }),
        ),
      ).toContain('Cannot modify fields except for authoritativeAPI');
      expect(
        await refusal(
          person.patch(mapiMachines, mapiKey('moved'), merge({ spec: { authoritativeAPI: 'MachineAPI' } })),
        ),
      ).toBe('');
      await untilObject(
        client,
        mapiMachines,
        mapiKey('moved'),
        ({ status }) => status?.authoritativeAPI === 'MachineAPI',
      );
    });

    it('reject handing over a deleting machine', async () => {
      await person.patch(
        mapiMachines,
        mapiKey('moved'),
        merge({
          metadata: {
            finalizers: ['example.com/keep', 'machine.machine.openshift.io', 'sync.machine.openshift.io/finalizer'],
          },
        }),
      );
      await person.delete(mapiMachines, mapiKey('moved'));
      expect(
        await refusalInTheEnd(() =>
          person.patch(mapiMachines, mapiKey('moved'), merge({ spec: { authoritativeAPI: 'ClusterAPI' } }), { dryRun }),
        ),
      ).toContain('being deleted');
      await untilObject(client, mapiMachines, mapiKey('moved'), ({ metadata }) => metadata.finalizers?.length === 1);
      await person.patch(mapiMachines, mapiKey('moved'), merge({ metadata: { finalizers: null } }));
      await untilObjectGone(client, machines, capiKey('moved'));
    });
  });
});
