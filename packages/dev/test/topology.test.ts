import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotations, labels } from '@slipway/cluster-api';
import { cluster, clusterClass, templates } from './topology-manifests.js';
import {
  condition,
  type Deployment,
  namespace,
  resources,
  startTopologyWorld,
  type TopologyWorld,
} from './topology-world.js';

describe('a topology on the embedded server', () => {
  let world: TopologyWorld;

  beforeAll(async () => {
    world = await startTopologyWorld();
    await world.create(resources.devClusterTemplates, templates.devCluster);
    await world.create(resources.kubeadmControlPlaneTemplates, templates.controlPlane);
    await world.create(resources.devMachineTemplates, templates.controlPlaneMachine);
    await world.create(resources.devMachineTemplates, templates.workerMachine);
    await world.create(resources.kubeadmConfigTemplates, templates.bootstrap);
  });
  afterAll(() => world?.stop());

  it('has a class whose templates it owns', async () => {
    await world.create(resources.clusterClasses, clusterClass('quick'));
    const made = await world.until(resources.clusterClasses, ([found]) =>
      found !== undefined && (found['status'] as { observedGeneration?: number })?.observedGeneration === 1
        ? found
        : undefined,
    );
    expect(condition(made, 'VariablesReady')).toMatchObject({ status: 'True', reason: 'VariablesReady' });
    expect(condition(made, 'RefVersionsUpToDate')).toMatchObject({ status: 'True', reason: 'RefVersionsUpToDate' });
    const owners = (await world.get(resources.devClusterTemplates, 'infrastructure')).metadata.ownerReferences;
    expect(owners).toMatchObject([{ kind: 'ClusterClass', name: 'quick' }]);
  });

  it('makes all objects of a cluster', async () => {
    await world.create(resources.clusters, cluster('c', 'quick'));
    const [deployment] = await world.until(resources.machineDeployments, (found) =>
      found.length > 0 ? found : undefined,
    );
    const made = await world.until(resources.clusters, ([found]) =>
      found !== undefined &&
      (found['spec'] as { controlPlaneRef?: object }).controlPlaneRef !== undefined &&
      condition(found, 'TopologyReconciled') !== undefined
        ? found
        : undefined,
    );
    const [controlPlane] = await world.list(resources.kubeadmControlPlanes);
    const [infrastructure] = await world.list(resources.devClusters);
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
    const machineTemplates = (await world.list(resources.devMachineTemplates)).filter(
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
    const told = await world.until(resources.events, (found) => {
      const messages = found.map((event) => (event as { message?: string }).message ?? '');
      return messages.some((text) => text.startsWith('Created MachineDeployment')) ? messages : undefined;
    });
    expect(told).toEqual(
      expect.arrayContaining([
        `Created DevCluster "${namespace}/${infrastructure?.metadata.name ?? ''}"`,
        `Created KubeadmControlPlane "${namespace}/${controlPlane?.metadata.name ?? ''}"`,
        `Created MachineDeployment "${namespace}/${deployment?.metadata.name ?? ''}"`,
      ]),
    );
  });

  it('writes nothing when nothing changes', async () => {
    const before = await world.written('c');
    // Whatever wakes the controller: nothing of the topology is different.
    await world.merge(resources.clusters, 'c', { metadata: { annotations: { poke: '1' } } });
    await world.merge(resources.clusterClasses, 'quick', { metadata: { labels: { poke: '1' } } });
    const marker = clusterClass('marker');
    await world.create(resources.clusterClasses, marker);
    await world.create(resources.clusters, cluster('marker', 'marker'));
    await world.conditionOf('marker', { status: 'True' });
    const after = await world.written('c');
    const { 'Cluster c': _before, ...rest } = before;
    const { 'Cluster c': _after, ...same } = after;
    expect(same).toEqual(rest);
  });

  it('deletes the shim once the Cluster owns its objects', async () => {
    const own = await world.get(resources.clusters, 'c');
    const { infrastructureRef, controlPlaneRef } = own['spec'] as Record<string, { name: string }>;
    const owner = { apiVersion: own.apiVersion, kind: own.kind, name: 'c', uid: own.metadata.uid, controller: true };
    for (const [resource, reference] of [
      [resources.devClusters, infrastructureRef],
      [resources.kubeadmControlPlanes, controlPlaneRef],
    ] as const) {
      const object = await world.get(resource, reference?.name ?? '');
      const ownerReferences = [...(object.metadata.ownerReferences ?? []), owner];
      await world.merge(resource, reference?.name ?? '', { metadata: { ownerReferences } });
    }
    const left = await world.until(resources.secrets, (found) =>
      found.some(({ metadata }) => metadata.name === 'c-shim') ? undefined : found,
    );
    expect(left.map(({ metadata }) => metadata.name)).not.toContain('c-shim');
    // What the shim owned is still there: the Cluster owns it as well.
    expect(await world.named(resources.devClusters, 'c')).toHaveLength(1);
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
    await world.create(resources.clusterClasses, clusterClass('variable', { spec: { variables, patches } }));
    await world.create(resources.clusters, cluster('v', 'variable'));
    await world.conditionOf('v', { status: 'True' });
    const defaulted = await world.get(resources.clusters, 'v');
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
    const before = await world.written('v');
    const [deployment] = await world.named(resources.machineDeployments, 'v');
    const oldTemplate = (deployment?.['spec'] as Deployment | undefined)?.template.spec.infrastructureRef.name ?? '';
    const values = [
      { name: 'workerSeconds', value: '9s' },
      { name: 'podSubnet', value: '3s' },
    ];
    await world.merge(resources.clusters, 'v', { spec: { topology: { variables: values } } });
    const rotated = await world.until(resources.machineDeployments, (found) => {
      const object = found.find(({ metadata }) => metadata.name === deployment?.metadata.name);
      const name = (object?.['spec'] as Deployment | undefined)?.template.spec.infrastructureRef.name;
      return name === oldTemplate ? undefined : name;
    });
    expect(await world.get(resources.devMachineTemplates, rotated)).toMatchObject({
      spec: { template: { spec: { backend: { inMemory: { vm: { provisioning: { startupDuration: '9s' } } } } } } },
    });
    await world.conditionOf('v', { status: 'True' });
    const after = await world.written('v');
    const changed = Object.keys(after).filter((key) => after[key] !== before[key]);
    expect(changed.sort()).toEqual(
      ['Cluster v', `DevMachineTemplate ${rotated}`, `MachineDeployment ${deployment?.metadata.name ?? ''}`].sort(),
    );
    // The old template stays until no machine set uses it any more: that is for others to see.
    expect(Object.keys(after)).toContain(`DevMachineTemplate ${oldTemplate}`);
  });

  it('changes labels of a template in place', async () => {
    const [before] = (await world.named(resources.devMachineTemplates, 'v')).filter(
      ({ metadata }) => metadata.labels?.[labels.topologyDeploymentName] === undefined,
    );
    await world.merge(resources.devMachineTemplates, 'control-plane-machine', {
      metadata: { labels: { added: 'yes' } },
    });
    const after = await world.until(resources.devMachineTemplates, (found) =>
      found.find(({ metadata }) => metadata.name === before?.metadata.name && metadata.labels?.['added'] === 'yes'),
    );
    expect(after.metadata.uid).toBe(before?.metadata.uid);
  });

  it('upgrades the control plane before the workers, one after the other', async () => {
    const workers = {
      machineDeployments: ['one', 'two'].map((name) => ({ name, class: 'default-worker', replicas: 1 })),
    };
    await world.create(resources.clusters, cluster('u', 'quick', { workers }));
    await world.conditionOf('u', { status: 'True' });
    const [controlPlane] = await world.named(resources.kubeadmControlPlanes, 'u');
    const name = controlPlane?.metadata.name ?? '';
    const reports = (version: string): Promise<void> =>
      world.merge(resources.kubeadmControlPlanes, name, { status: { versions: [{ version, replicas: 1 }] } }, 'status');
    const deployments = async (): Promise<Record<string, string>> =>
      Object.fromEntries(
        (await world.named(resources.machineDeployments, 'u')).map((object) => [
          object.metadata.labels?.[labels.topologyDeploymentName] ?? '',
          (object['spec'] as Deployment).template.spec.version,
        ]),
      );
    await reports('v1.35.0');
    await world.merge(resources.clusters, 'u', { spec: { topology: { version: 'v1.36.0' } } });
    await world.until(resources.kubeadmControlPlanes, (found) =>
      found.find(
        (object) => object.metadata.name === name && (object['spec'] as { version: string }).version === 'v1.36.0',
      ),
    );
    await world.conditionOf('u', { reason: 'ClusterUpgrading' });
    expect(await deployments()).toEqual({ one: 'v1.35.0', two: 'v1.35.0' });
    const upgrading = await world.get(resources.clusters, 'u');
    expect(upgrading.metadata.annotations).toMatchObject({
      'topology.internal.cluster.x-k8s.io/upgrade-step': 'v1.36.0',
    });
    expect(upgrading['status']).toMatchObject({ workers: { upgradePlan: [{ version: 'v1.36.0' }] } });

    const machine = await world.create(resources.machines, {
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
    await world.until(resources.machineDeployments, (found) =>
      found.find(
        (object) =>
          object.metadata.labels?.[labels.clusterName] === 'u' &&
          (object['spec'] as Deployment).template.spec.version === 'v1.36.0',
      ),
    );
    expect(await deployments()).toEqual({ one: 'v1.36.0', two: 'v1.35.0' });
    // The machine of the first is replaced: then it is the turn of the second.
    await world.client.delete(resources.machines, { namespace, name: machine.metadata.name ?? '' });
    await world.until(resources.machineDeployments, (found) => {
      const versions = found
        .filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'u')
        .map((object) => (object['spec'] as Deployment).template.spec.version);
      return versions.every((version) => version === 'v1.36.0') ? true : undefined;
    });
    await world.conditionOf('u', { status: 'True', reason: 'ReconcileSucceeded' });
    const done = await world.get(resources.clusters, 'u');
    expect(done.metadata.annotations ?? {}).not.toHaveProperty('topology.internal.cluster.x-k8s.io/upgrade-step');
  });

  it('deletes workers that leave the topology, and their health checks', async () => {
    const check = { healthCheck: { checks: { nodeStartupTimeoutSeconds: 120 } } };
    const worker = (name: string): object => ({ name, class: 'default-worker', replicas: 1, ...check });
    const workers = { machineDeployments: [worker('stays'), worker('goes')] };
    await world.create(resources.clusters, cluster('d', 'quick', { workers }));
    await world.until(resources.machineHealthChecks, (found) => (found.length === 2 ? found : undefined));
    await world.conditionOf('d', { status: 'True' });
    await world.merge(resources.clusters, 'd', {
      spec: { topology: { workers: { machineDeployments: [worker('stays')] } } },
    });
    await world.until(resources.machineHealthChecks, (found) => (found.length === 1 ? found : undefined));
    const left = await world.until(resources.machineDeployments, (found) => {
      const own = found.filter(({ metadata }) => metadata.labels?.[labels.clusterName] === 'd');
      return own.length === 1 ? own[0] : undefined;
    });
    expect(left?.metadata.labels?.[labels.topologyDeploymentName]).toBe('stays');
  });

  it('14.7, 14.8: runs all phases of a class that misses a template, tells it, and has seen the class only afterwards', async () => {
    const templateRef = {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'DevMachineTemplate',
      name: 'late',
    };
    await world.create(resources.clusterClasses, clusterClass('late', { worker: { infrastructure: { templateRef } } }));
    await world.create(resources.clusters, cluster('late', 'late'));
    await world.conditionOf('late', { reason: 'ClusterClassNotReconciled' });
    const told = await world.until(resources.clusterClasses, (found) =>
      found.find((object) => object.metadata.name === 'late' && condition(object, 'RefVersionsUpToDate') !== undefined),
    );
    expect(condition(told, 'RefVersionsUpToDate')).toMatchObject({
      status: 'Unknown',
      message: expect.stringContaining('refName: late') as string,
    });
    expect(condition(told, 'VariablesReady')).toMatchObject({ status: 'True' });
    expect(told['status']).not.toHaveProperty('observedGeneration');
    await world.create(resources.devMachineTemplates, {
      ...templates.workerMachine,
      metadata: { name: 'late', namespace },
    });
    await world.conditionOf('late', { status: 'True' });
  });

  it('says that it is paused, and does nothing', async () => {
    const paused = cluster('p', 'quick') as { spec: object };
    await world.create(resources.clusters, { ...paused, spec: { ...paused.spec, paused: true } });
    expect(await world.conditionOf('p', { reason: 'Paused' })).toMatchObject({
      message: 'Cluster spec.paused is set to true',
    });
    expect(await world.named(resources.devClusters, 'p')).toEqual([]);
  });
});
