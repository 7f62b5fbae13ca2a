import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { annotations, labels } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Conditioned, getCondition } from '@slipway/runtime';
import { cluster, clusterClass, templates } from './topology-manifests.js';
import { namespace, resources, startTopologyWorld, type TopologyWorld } from './topology-world.js';

const condition = (object: Frozen<KubeObject>, type: string): object | undefined =>
  getCondition(object as Conditioned, type);

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
  });
});
