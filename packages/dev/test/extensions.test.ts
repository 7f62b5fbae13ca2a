import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { extensionConfigs, labels } from '@slipway/cluster-api';
import type { Frozen, JsonObject, KubeObject } from '@slipway/kube';
import { type Conditioned, getCondition, namespaces } from '@slipway/runtime';
import { type ExtensionServer, handler, startExtensionServer } from '@slipway/testing/servers';
import { cluster, clusterClass, templates } from './topology-manifests.js';
import { namespace, resources, startTopologyPlane, type TopologyPlane } from './topology-plane.js';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const condition = (object: Frozen<KubeObject>, type: string) => getCondition(object as Conditioned, type);
const configs = extensionConfigs;

describe('Runtime SDK extensions over HTTPS', () => {
  let plane: TopologyPlane;
  let server: ExtensionServer;

  beforeAll(async () => {
    plane = await startTopologyPlane({ RuntimeSDK: true });
    server = await startExtensionServer([
      handler('create', 'BeforeClusterCreate', { timeoutSeconds: 5 }),
      handler('initialized', 'AfterControlPlaneInitialized'),
      handler('upgrade', 'BeforeClusterUpgrade'),
      handler('upgraded', 'AfterClusterUpgrade'),
      handler('control-plane', 'AfterControlPlaneUpgrade'),
      handler('delete', 'BeforeClusterDelete'),
      handler('patch', 'GeneratePatches'),
      handler('check', 'ValidateTopology', { failurePolicy: 'Ignore' }),
      handler('variables', 'DiscoverVariables'),
    ]);
    for (const [resource, object] of [
      [resources.devClusterTemplates, templates.devCluster],
      [resources.kubeadmControlPlaneTemplates, templates.controlPlane],
      [resources.devMachineTemplates, templates.controlPlaneMachine],
      [resources.devMachineTemplates, templates.workerMachine],
      [resources.kubeadmConfigTemplates, templates.bootstrap],
    ] as const)
      await plane.create(resource, object);
    await plane.client.patch(
      namespaces,
      { namespace: '', name: namespace },
      { type: 'merge', patch: { metadata: { labels: { extended: 'yes' } } } },
    );
  });
  afterAll(async () => {
    await plane?.stop();
    await server?.stop();
  });

  const config = (name: string, spec: object, annotations: object = {}): object => ({
    apiVersion: 'runtime.cluster.x-k8s.io/v1beta2',
    kind: 'ExtensionConfig',
    metadata: { name, annotations },
    spec,
  });
  const configured = (name: string, expected: object): Promise<Frozen<KubeObject>> =>
    plane.until(configs, (found) => {
      const object = found.find(({ metadata }) => metadata.name === name);
      const discovered = object === undefined ? undefined : condition(object, 'Discovered');
      const fits =
        discovered !== undefined &&
        Object.entries(expected).every(([key, value]) => discovered[key as 'reason'] === value);
      return fits ? object : undefined;
    });
  const clusterWith = (name: string, expected: object): Promise<Frozen<KubeObject>> =>
    plane.until(resources.clusters, (found) => {
      const object = found.find(({ metadata }) => metadata.name === name);
      const present = object === undefined ? undefined : condition(object, 'TopologyReconciled');
      const fits =
        present !== undefined && Object.entries(expected).every(([key, value]) => present[key as 'reason'] === value);
      return fits ? object : undefined;
    });
  const callsOf = (hook: string, name: string): readonly JsonObject[] =>
    server.calls
      .filter(({ path, request }) => {
        const { metadata } = (request['cluster'] ?? {}) as { metadata?: { name?: string } };
        return path.startsWith(`${hook}/`) && metadata?.name === name;
      })
      .map(({ request }) => request);

  it('are not discovered when their certificate is not trusted', async () => {
    await plane.create(
      configs,
      config('trustless', {
        clientConfig: {
          url: server.url,
          caBundle: Buffer.from(server.authority.replace(/A/g, 'B')).toString('base64'),
        },
      }),
    );
    const object = await configured('trustless', { status: 'False' });
    expect(condition(object, 'Discovered')).toMatchObject({
      reason: 'NotDiscovered',
      message: expect.stringMatching(
        /^Error in discovery: failed to discover extension "trustless": http call failed: /,
      ) as string,
    });
    await plane.client.delete(configs, { namespace: '', name: 'trustless' });
  });

  it('are discovered once a Secret provides the CA', async () => {
    const annotations = { 'runtime.cluster.x-k8s.io/inject-ca-from-secret': `${namespace}/extension-ca` };
    const spec = {
      clientConfig: { url: server.url },
      settings: { from: 'config', more: 'config' },
      namespaceSelector: { matchLabels: { extended: 'yes' } },
    };
    await plane.create(configs, config('ext', spec, annotations));
    const waiting = await configured('ext', { status: 'False' });
    expect(condition(waiting, 'Discovered')?.message).toContain(`failed to get secret "${namespace}/extension-ca"`);
    await plane.create(resources.secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'extension-ca', namespace },
      data: { 'ca.crt': Buffer.from(server.authority).toString('base64') },
    });
    const object = await configured('ext', { status: 'True', reason: 'Discovered' });
    expect(object['status']).toMatchObject({
      handlers: expect.arrayContaining([
        {
          name: 'create.ext',
          requestHook: { apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1', hook: 'BeforeClusterCreate' },
          timeoutSeconds: 5,
          failurePolicy: 'Fail',
        },
        expect.objectContaining({ name: 'check.ext', timeoutSeconds: 10, failurePolicy: 'Ignore' }),
      ]) as unknown,
    });
  });

  it('declare variables of a class', async () => {
    const variable = (type: string): object => ({
      name: 'image',
      required: true,
      schema: { openAPIV3Schema: { type } },
    });
    server.answers.set('discovervariables', () => ({ variables: [variable('string')] }));
    const external = {
      generatePatchesExtension: 'patch.ext',
      validateTopologyExtension: 'check.ext',
      discoverVariablesExtension: 'variables.ext',
      settings: { from: 'class' },
    };
    const patches = [{ name: 'images', external }];
    await plane.create(resources.clusterClasses, clusterClass('extended', { spec: { patches } }));
    const made = await plane.until(resources.clusterClasses, (found) =>
      found.find((object) => (object['status'] as { variables?: unknown })?.variables !== undefined),
    );
    expect(made['status']).toMatchObject({
      variables: [{ name: 'image', definitionsConflict: false, definitions: [{ from: 'images', required: true }] }],
    });
    expect(server.calls.find(({ path }) => path === 'discovervariables/variables')?.request).toMatchObject({
      apiVersion: 'hooks.runtime.cluster.x-k8s.io/v1alpha1',
      kind: 'DiscoverVariablesRequest',
      settings: { from: 'class', more: 'config' },
    });
    const conflicting = { name: 'image', required: false, schema: { openAPIV3Schema: { type: 'integer' } } };
    await plane.create(
      resources.clusterClasses,
      clusterClass('conflict', { spec: { patches, variables: [conflicting] } }),
    );
    const refused = await plane.until(resources.clusterClasses, (found) =>
      found.find(
        (object) => object.metadata.name === 'conflict' && condition(object, 'VariablesReady')?.status === 'False',
      ),
    );
    expect(condition(refused, 'VariablesReady')).toMatchObject({
      reason: 'VariableDiscoveryFailed',
      message: expect.stringContaining('the following variables have conflicting schemas: image') as string,
    });
  });

  it('block the creation of a cluster, and then patch it', async () => {
    let seconds = 2;
    server.answers.set('beforeclustercreate', () => ({ retryAfterSeconds: seconds, message: 'capacity' }));
    server.answers.set('generatepatches', (request) => {
      const items = request['items'] as readonly {
        uid: string;
        holderReference: { fieldPath: string };
        object: { kind: string };
      }[];
      const variables = request['variables'] as readonly { name: string; value: unknown }[];
      const image = variables.find(({ name }) => name === 'image')?.value;
      return {
        items: items
          .filter(({ object }) => object.kind === 'KubeadmControlPlaneTemplate')
          .map(({ uid }) => ({
            uid,
            patchType: 'JSONPatch',
            patch: encode([
              { op: 'add', path: '/spec/template/spec/kubeadmConfigSpec/preKubeadmCommands', value: [image] },
            ]),
          })),
      };
    });
    server.broken.set('validatetopology', 500);
    await plane.create(resources.clusters, cluster('e', 'extended', { variables: [{ name: 'image', value: 'pull' }] }));
    const blocked = await clusterWith('e', { reason: 'ClusterCreating' });
    expect(condition(blocked, 'TopologyReconciled')?.message).toBe(
      'Following hooks are blocking Cluster topology creation: BeforeClusterCreate: capacity',
    );
    expect((blocked['spec'] as { infrastructureRef?: unknown }).infrastructureRef).toBeUndefined();
    seconds = 0;
    const made = await clusterWith('e', { status: 'True' });
    expect(made.metadata.annotations?.['runtime.cluster.x-k8s.io/pending-hooks']).toBe('AfterControlPlaneInitialized');
    const [controlPlane] = (await plane.list(resources.kubeadmControlPlanes)).filter(
      ({ metadata }) => metadata.labels?.[labels.clusterName] === 'e',
    );
    expect(controlPlane).toMatchObject({ spec: { kubeadmConfigSpec: { preKubeadmCommands: ['pull'] } } });
    // A failing handler with failurePolicy Ignore was called, and its error was ignored.
    expect(server.calls.some(({ path }) => path === 'validatetopology/check')).toBe(true);
    const [request] = callsOf('beforeclustercreate', 'e');
    expect(request).toMatchObject({ kind: 'BeforeClusterCreateRequest', settings: { from: 'config', more: 'config' } });
    expect(request?.['cluster']).not.toHaveProperty('status');
  });

  it('are called once when the control plane is initialized', async () => {
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const conditions = [
      { type: 'ControlPlaneInitialized', status: 'True', reason: 'Initialized', message: '', lastTransitionTime },
    ];
    const before = await plane.get(resources.clusters, 'e');
    const others = (before['status'] as { conditions: object[] }).conditions;
    await plane.merge(resources.clusters, 'e', { status: { conditions: [...others, ...conditions] } }, 'status');
    await plane.until(resources.clusters, (found) =>
      found.find(
        ({ metadata }) =>
          metadata.name === 'e' && metadata.annotations?.['runtime.cluster.x-k8s.io/pending-hooks'] === undefined,
      ),
    );
    expect(callsOf('aftercontrolplaneinitialized', 'e')).toHaveLength(1);
  });

  it('are called at every step of an upgrade', async () => {
    const [controlPlane] = (await plane.list(resources.kubeadmControlPlanes)).filter(
      ({ metadata }) => metadata.labels?.[labels.clusterName] === 'e',
    );
    const name = controlPlane?.metadata.name ?? '';
    const reports = (version: string): Promise<void> =>
      plane.merge(resources.kubeadmControlPlanes, name, { status: { versions: [{ version, replicas: 1 }] } }, 'status');
    await reports('v1.35.0');
    await plane.merge(resources.clusters, 'e', {
      metadata: { annotations: { 'before-upgrade.hook.cluster.cluster.x-k8s.io/me': '' } },
    });
    await plane.merge(resources.clusters, 'e', { spec: { topology: { version: 'v1.36.0' } } });
    const held = await clusterWith('e', { reason: 'ClusterUpgrading' });
    expect(condition(held, 'TopologyReconciled')?.message).toContain(
      'BeforeClusterUpgrade: annotation before-upgrade.hook.cluster.cluster.x-k8s.io/me is set',
    );
    expect(callsOf('beforeclusterupgrade', 'e')).toHaveLength(0);
    await plane.merge(resources.clusters, 'e', {
      metadata: { annotations: { 'before-upgrade.hook.cluster.cluster.x-k8s.io/me': null } },
    });
    await plane.until(resources.kubeadmControlPlanes, (found) =>
      found.find(
        (object) => object.metadata.name === name && (object['spec'] as { version: string }).version === 'v1.36.0',
      ),
    );
    expect(callsOf('beforeclusterupgrade', 'e')).toMatchObject([
      {
        fromKubernetesVersion: 'v1.35.0',
        toKubernetesVersion: 'v1.36.0',
        controlPlaneUpgrades: [{ version: 'v1.36.0' }],
      },
    ]);
    expect(
      (await plane.get(resources.clusters, 'e')).metadata.annotations?.['runtime.cluster.x-k8s.io/pending-hooks'],
    ).toBe('AfterClusterUpgrade,AfterControlPlaneUpgrade,AfterWorkersUpgrade,BeforeWorkersUpgrade');
    await reports('v1.36.0');
    await clusterWith('e', { status: 'True' });
    expect(callsOf('aftercontrolplaneupgrade', 'e')).toMatchObject([{ kubernetesVersion: 'v1.36.0' }]);
    expect(callsOf('afterclusterupgrade', 'e')).toMatchObject([{ kubernetesVersion: 'v1.36.0' }]);
  });

  it('fail a topology with their message, and let it continue when they succeed again', async () => {
    server.answers.set('generatepatches', () => ({ status: 'Failure', message: 'no such image' }));
    await plane.merge(resources.clusters, 'e', { metadata: { annotations: { poke: '1' } } });
    const failed = await clusterWith('e', { reason: 'ReconcileFailed' });
    expect(condition(failed, 'TopologyReconciled')?.message).toContain(
      'failed to call extension handler "patch.ext": got failure response with message: no such image',
    );
    server.answers.set('generatepatches', () => ({ items: [] }));
    await clusterWith('e', { status: 'True' });
  });

  it('block the deletion of a cluster', async () => {
    let seconds = 1;
    server.answers.set('beforeclusterdelete', () => ({ retryAfterSeconds: seconds, message: 'backup' }));
    await plane.merge(resources.clusters, 'e', { metadata: { finalizers: ['example.com/test'] } });
    await plane.client.delete(resources.clusters, { namespace, name: 'e' });
    const deleting = await clusterWith('e', { reason: 'Deleting' });
    expect(condition(deleting, 'TopologyReconciled')?.message).toBe(
      'Cluster is deleting. Following hooks are blocking delete: BeforeClusterDelete: backup',
    );
    expect(deleting.metadata.annotations).not.toHaveProperty('runtime.cluster.x-k8s.io/ok-to-delete');
    seconds = 0;
    await plane.until(resources.clusters, (found) =>
      found.find(
        ({ metadata }) =>
          metadata.name === 'e' && 'runtime.cluster.x-k8s.io/ok-to-delete' in (metadata.annotations ?? {}),
      ),
    );
    await plane.merge(resources.clusters, 'e', { metadata: { finalizers: null } });
  });
});
