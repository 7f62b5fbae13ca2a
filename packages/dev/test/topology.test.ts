import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotations, labels } from '@slipway/cluster-api';
import { cluster, clusterClass, templates } from './topology-manifests.js';
import {
  condition,
  type Deployment,
  namespace,
  resources,
  startTopologyPlane,
  type TopologyPlane,
} from './topology-plane.js';

describe('a topology on the embedded server', () => {
  let plane: TopologyPlane;

  beforeAll(async () => {
    plane = await startTopologyPlane();
    await plane.create(resources.devClusterTemplates, templates.devCluster);
    await plane.create(resources.kubeadmControlPlaneTemplates, templates.controlPlane);
    await plane.create(resources.devMachineTemplates, templates.controlPlaneMachine);
    await plane.create(resources.devMachineTemplates, templates.workerMachine);
    await plane.create(resources.kubeadmConfigTemplates, templates.bootstrap);
  });
  afterAll(() => plane?.stop());

  it('makes the ClusterClass own its templates', async () => {
    await plane.create(resources.clusterClasses, clusterClass('quick'));
    const made = await plane.until(resources.clusterClasses, ([found]) =>
      found !== undefined && (found['status'] as { observedGeneration?: number })?.observedGeneration === 1
        ? found
        : undefined,
    );
    expect(condition(made, 'VariablesReady')).toMatchObject({ status: 'True', reason: 'VariablesReady' });
    expect(condition(made, 'RefVersionsUpToDate')).toMatchObject({ status: 'True', reason: 'RefVersionsUpToDate' });
    const owners = (await plane.get(resources.devClusterTemplates, 'infrastructure')).metadata.ownerReferences;
    expect(owners).toMatchObject([{ kind: 'ClusterClass', name: 'quick' }]);
  });

  it('creates all objects of a cluster', async () => {
    await plane.create(resources.clusters, cluster('c', 'quick'));
    const [deployment] = await plane.until(resources.machineDeployments, (found) =>
      found.length > 0 ? found : undefined,
    );
    const made = await plane.until(resources.clusters, ([found]) =>
      found !== undefined &&
      (found['spec'] as { controlPlaneRef?: object }).controlPlaneRef !== undefined &&
      condition(found, 'TopologyReconciled') !== undefined
        ? found
        : undefined,
    );
    const [controlPlane] = await plane.list(resources.kubeadmControlPlanes);
    const [infrastructure] = await plane.list(resources.devClusters);
    const owned = { [labels.clusterName]: 'c', [labels.topologyOwned]: '' };
    expect(made).toMatchObject({
      metadata: { labels: owned },
      spec: {
        infrastructureRef: {
          apiGroup: 'infrastructure.cluster.x-k8s.io',
          kind: 'DevCluster',
          name: infrastructure?.metadata.name,
        },
        controlPlaneRef: {
          apiGroup: 'controlplane.cluster.x-k8s.io',
          kind: 'KubeadmControlPlane',
          name: controlPlane?.metadata.name,
        },
      },
    });
    expect(condition(made, 'TopologyReconciled')).toMatchObject({ status: 'True', reason: 'ReconcileSucceeded' });
    expect(infrastructure?.metadata).toMatchObject({
      name: expect.stringMatching(/^c-[a-z0-9]{5}$/) as string,
      labels: owned,
      annotations: {
        [annotations.clonedFromName]: 'infrastructure',
        [annotations.clonedFromGroupKind]: 'DevClusterTemplate.infrastructure.cluster.x-k8s.io',
      },
      ownerReferences: [{ kind: 'Secret', name: 'c-shim' }],
    });
    const machineTemplates = (await plane.list(resources.devMachineTemplates)).filter(
      ({ metadata }) => metadata.labels?.[labels.clusterName] === 'c',
    );
    expect(machineTemplates).toHaveLength(2);
    const forControlPlane = machineTemplates.find(
      ({ metadata }) => metadata.labels?.[labels.topologyDeploymentName] === undefined,
    );
    expect(controlPlane).toMatchObject({
      spec: {
        replicas: 1,
        version: 'v1.35.0',
        kubeadmConfigSpec: { clusterConfiguration: { certificateValidityPeriodDays: 90 } },
        machineTemplate: {
          metadata: { labels: owned },
          spec: {
            infrastructureRef: {
              apiGroup: 'infrastructure.cluster.x-k8s.io',
              kind: 'DevMachineTemplate',
              name: forControlPlane?.metadata.name,
            },
          },
        },
      },
    });
    const selector = { ...owned, [labels.topologyDeploymentName]: 'md-0' };
    expect(deployment).toMatchObject({
      metadata: { name: expect.stringMatching(/^c-md-0-[a-z0-9]{5}$/) as string, labels: selector },
      spec: {
        clusterName: 'c',
        replicas: 1,
        selector: { matchLabels: selector },
        template: {
          metadata: { labels: selector },
          spec: {
            version: 'v1.35.0',
            bootstrap: { configRef: { kind: 'KubeadmConfigTemplate' } },
            infrastructureRef: { kind: 'DevMachineTemplate' },
          },
        },
      },
    });
    expect(deployment?.metadata.namespace).toBe(namespace);
    const reported = await plane.until(resources.events, (found) => {
      const messages = found.map((event) => (event as { message?: string }).message ?? '');
      return messages.some((text) => text.startsWith('Created MachineDeployment')) ? messages : undefined;
    });
    expect(reported).toEqual(
      expect.arrayContaining([
        `Created DevCluster "${namespace}/${infrastructure?.metadata.name ?? ''}"`,
        `Created KubeadmControlPlane "${namespace}/${controlPlane?.metadata.name ?? ''}"`,
        `Created MachineDeployment "${namespace}/${deployment?.metadata.name ?? ''}"`,
      ]),
    );
  });

  it('writes nothing when nothing changes', async () => {
    const before = await plane.written('c');
    // This triggers a reconcile, but does not change the topology.
    await plane.merge(resources.clusters, 'c', { metadata: { annotations: { poke: '1' } } });
    await plane.merge(resources.clusterClasses, 'quick', { metadata: { labels: { poke: '1' } } });
    const marker = clusterClass('marker');
    await plane.create(resources.clusterClasses, marker);
    await plane.create(resources.clusters, cluster('marker', 'marker'));
    await plane.conditionOf('marker', { status: 'True' });
    const after = await plane.written('c');
    const { 'Cluster c': _before, ...rest } = before;
    const { 'Cluster c': _after, ...same } = after;
    expect(same).toEqual(rest);
  });

  it('deletes the shim once the Cluster owns its objects', async () => {
    const own = await plane.get(resources.clusters, 'c');
    const { infrastructureRef, controlPlaneRef } = own['spec'] as Record<string, { name: string }>;
    const owner = { apiVersion: own.apiVersion, kind: own.kind, name: 'c', uid: own.metadata.uid, controller: true };
    for (const [resource, reference] of [
      [resources.devClusters, infrastructureRef],
      [resources.kubeadmControlPlanes, controlPlaneRef],
    ] as const) {
      const object = await plane.get(resource, reference?.name ?? '');
      const ownerReferences = [...(object.metadata.ownerReferences ?? []), owner];
      await plane.merge(resource, reference?.name ?? '', { metadata: { ownerReferences } });
    }
    const left = await plane.until(resources.secrets, (found) =>
      found.some(({ metadata }) => metadata.name === 'c-shim') ? undefined : found,
    );
    expect(left.map(({ metadata }) => metadata.name)).not.toContain('c-shim');
    // The objects that the shim owned still exist, because the Cluster owns them too.
    expect(await plane.named(resources.devClusters, 'c')).toHaveLength(1);
  });

  it('rotates only the templates that a variable changes', async () => {
    const variables = ['workerSeconds', 'podSubnet'].map((name) => ({
      name,
      required: false,
      schema: { openAPIV3Schema: { type: 'string', default: '3s' } },
    }));
    const worker = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevMachineTemplate',
      matchResources: { machineDeploymentClass: { names: ['default-*'] } },
    };
    const path = '/spec/template/spec/backend/inMemory/vm/provisioning/startupDuration';
    const patch = { op: 'replace', path, valueFrom: { variable: 'workerSeconds' } };
    const patches = [{ name: 'seconds', definitions: [{ selector: worker, jsonPatches: [patch] }] }];
    await plane.create(resources.clusterClasses, clusterClass('variable', { spec: { variables, patches } }));
    await plane.create(resources.clusters, cluster('v', 'variable'));
    await plane.conditionOf('v', { status: 'True' });
    const defaulted = await plane.get(resources.clusters, 'v');
    expect(defaulted).toMatchObject({
      spec: {
        topology: {
          variables: [
            { name: 'podSubnet', value: '3s' },
            { name: 'workerSeconds', value: '3s' },
          ],
        },
      },
    });
    const before = await plane.written('v');
    const [deployment] = await plane.named(resources.machineDeployments, 'v');
    const oldTemplate = (deployment?.['spec'] as Deployment | undefined)?.template.spec.infrastructureRef.name ?? '';
    const values = [
      { name: 'workerSeconds', value: '9s' },
      { name: 'podSubnet', value: '3s' },
    ];
    await plane.merge(resources.clusters, 'v', { spec: { topology: { variables: values } } });
    const rotated = await plane.until(resources.machineDeployments, (found) => {
      const object = found.find(({ metadata }) => metadata.name === deployment?.metadata.name);
      const name = (object?.['spec'] as Deployment | undefined)?.template.spec.infrastructureRef.name;
      return name === oldTemplate ? undefined : name;
    });
    expect(await plane.get(resources.devMachineTemplates, rotated)).toMatchObject({
      spec: { template: { spec: { backend: { inMemory: { vm: { provisioning: { startupDuration: '9s' } } } } } } },
    });
    await plane.conditionOf('v', { status: 'True' });
    const after = await plane.written('v');
    const changed = Object.keys(after).filter((key) => after[key] !== before[key]);
    expect(changed.sort()).toEqual(
      ['Cluster v', `DevMachineTemplate ${rotated}`, `MachineDeployment ${deployment?.metadata.name ?? ''}`].sort(),
    );
    // Another controller deletes the old template as soon as no MachineSet uses it.
    expect(Object.keys(after)).toContain(`DevMachineTemplate ${oldTemplate}`);
  });

  it('changes labels of a template in place', async () => {
    const [before] = (await plane.named(resources.devMachineTemplates, 'v')).filter(
      ({ metadata }) => metadata.labels?.[labels.topologyDeploymentName] === undefined,
    );
    await plane.merge(resources.devMachineTemplates, 'control-plane-machine', {
      metadata: { labels: { added: 'yes' } },
    });
    const after = await plane.until(resources.devMachineTemplates, (found) =>
      found.find(({ metadata }) => metadata.name === before?.metadata.name && metadata.labels?.['added'] === 'yes'),
    );
    expect(after.metadata.uid).toBe(before?.metadata.uid);
  });

  it('upgrades the control plane before the workers, one after the other', async () => {
    const workers = {
      machineDeployments: ['one', 'two'].map((name) => ({ name, class: 'default-worker', replicas: 1 })),
    };
    await plane.create(resources.clusters, cluster('u', 'quick', { workers }));
    await plane.conditionOf('u', { status: 'True' });
    const [controlPlane] = await plane.named(resources.kubeadmControlPlanes, 'u');
    const name = controlPlane?.metadata.name ?? '';
    const reports = (version: string): Promise<void> =>
      plane.merge(resources.kubeadmControlPlanes, name, { status: { versions: [{ version, replicas: 1 }] } }, 'status');
    const deployments = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await plane.named(resources.machineDeployments, 'u')).map((object) => [
          object.metadata.labels?.[labels.topologyDeploymentName] ?? '',
          (object['spec'] as Deployment).template.spec.version,
        ]),
      );
    await reports('v1.35.0');
    await plane.merge(resources.clusters, 'u', { spec: { topology: { version: 'v1.36.0' } } });
    await plane.until(resources.kubeadmControlPlanes, (found) =>
      found.find(
        (object) => object.metadata.name === name && (object['spec'] as { version: string }).version === 'v1.36.0',
      ),
    );
    await plane.conditionOf('u', { reason: 'ClusterUpgrading' });
    expect(await deployments()).toEqual({ one: 'v1.35.0', two: 'v1.35.0' });
    const upgrading = await plane.get(resources.clusters, 'u');
    expect(upgrading.metadata.annotations).toMatchObject({
      'topology.internal.cluster.x-k8s.io/upgrade-step': 'v1.36.0',
    });
    expect(upgrading['status']).toMatchObject({ workers: { upgradePlan: [{ version: 'v1.36.0' }] } });

    const machine = await plane.create(resources.machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: {
        name: 'u-one-machine',
        namespace,
        labels: { [labels.clusterName]: 'u', [labels.topologyOwned]: '', [labels.topologyDeploymentName]: 'one' },
      },
      spec: {
        clusterName: 'u',
        version: 'v1.35.0',
        bootstrap: { dataSecretName: 'x' },
        infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name: 'x' },
      },
    });
    await reports('v1.36.0');
    await plane.until(resources.machineDeployments, (found) =>
      found.find(
        (object) =>
          object.metadata.labels?.[labels.clusterName] === 'u' &&
          (object['spec'] as Deployment).template.spec.version === 'v1.36.0',
      ),
    );
    expect(await deployments()).toEqual({ one: 'v1.36.0', two: 'v1.35.0' });
    // The second MachineDeployment is upgraded after the machine of the first is replaced.
    await plane.client.delete(resources.machines, { namespace, name: machine.metadata.name ?? '' });
    await plane.until(resources.machineDeployments, (found) => {
      const versions = found
        .filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'u')
        .map((object) => (object['spec'] as Deployment).template.spec.version);
      return versions.every((version) => version === 'v1.36.0') ? true : undefined;
    });
    await plane.conditionOf('u', { status: 'True', reason: 'ReconcileSucceeded' });
    const done = await plane.get(resources.clusters, 'u');
    expect(done.metadata.annotations ?? {}).not.toHaveProperty('topology.internal.cluster.x-k8s.io/upgrade-step');
  });

  it('deletes workers that are removed from the topology, and their MachineHealthChecks', async () => {
    const check = { healthCheck: { checks: { nodeStartupTimeoutSeconds: 120 } } };
    const worker = (name: string): object => ({ name, class: 'default-worker', replicas: 1, ...check });
    const workers = { machineDeployments: [worker('stays'), worker('goes')] };
    await plane.create(resources.clusters, cluster('d', 'quick', { workers }));
    await plane.until(resources.machineHealthChecks, (found) => (found.length === 2 ? found : undefined));
    await plane.conditionOf('d', { status: 'True' });
    await plane.merge(resources.clusters, 'd', {
      spec: { topology: { workers: { machineDeployments: [worker('stays')] } } },
    });
    await plane.until(resources.machineHealthChecks, (found) => (found.length === 1 ? found : undefined));
    const left = await plane.until(resources.machineDeployments, (found) => {
      const own = found.filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'd');
      return own.length === 1 ? own[0] : undefined;
    });
    expect(left?.metadata.labels?.[labels.topologyDeploymentName]).toBe('stays');
  });

  it('runs all phases of a ClusterClass without a template, reports it, and raises observedGeneration only later [14.7, 14.8]', async () => {
    const templateRef = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevMachineTemplate',
      name: 'late',
    };
    await plane.create(resources.clusterClasses, clusterClass('late', { worker: { infrastructure: { templateRef } } }));
    await plane.create(resources.clusters, cluster('late', 'late'));
    await plane.conditionOf('late', { reason: 'ClusterClassNotReconciled' });
    const reported = await plane.until(resources.clusterClasses, (found) =>
      found.find((object) => object.metadata.name === 'late' && condition(object, 'RefVersionsUpToDate') !== undefined),
    );
    expect(condition(reported, 'RefVersionsUpToDate')).toMatchObject({
      status: 'Unknown',
      message: expect.stringContaining('refName: late') as string,
    });
    expect(condition(reported, 'VariablesReady')).toMatchObject({ status: 'True' });
    expect(reported['status']).not.toHaveProperty('observedGeneration');
    await plane.create(resources.devMachineTemplates, {
      ...templates.workerMachine,
      metadata: { name: 'late', namespace },
    });
    await plane.conditionOf('late', { status: 'True' });
  });

  it('reports that it is paused, and changes nothing', async () => {
    const paused = cluster('p', 'quick') as { spec: object };
    await plane.create(resources.clusters, { ...paused, spec: { ...paused.spec, paused: true } });
    expect(await plane.conditionOf('p', { reason: 'Paused' })).toMatchObject({
      message: 'Cluster spec.paused is set to true',
    });
    expect(await plane.named(resources.devClusters, 'p')).toEqual([]);
  });
});
