import { clusters, labels, machineDeployments, machines } from '@slipway/cluster-api';
import { secrets } from '@slipway/runtime';
import {
  ClusterModules,
  isA,
  make,
  type ObjectRef,
  retrieveOne,
  Tags,
  vsphereClusterIdentities,
  vsphereClusters,
  vsphereDeploymentZones,
  vsphereFailureDomains,
  vsphereMachines,
  vsphereMachineTemplates,
  vsphereVms,
  waitForTask,
} from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, createMachine, machineSpec, provisionCluster, version } from './vcenter-manifests.js';
import { conditionOf, namespace, pool, VCenterEnvironment } from './vcenter-environment.js';

let environment: VCenterEnvironment;
const group = 'infrastructure.cluster.x-k8s.io';
const api = `${group}/v1beta2`;

beforeAll(async () => {
  environment = await VCenterEnvironment.start({ featureGates: ['NodeAntiAffinity'] });
});
afterAll(() => environment.stop());

async function run(task: Promise<ObjectRef>): Promise<unknown> {
  return waitForTask(environment.session.updates, await task);
}

async function remove(name: string): Promise<void> {
  await environment.client.delete(vsphereMachines, { namespace, name });
  await environment.client.delete(machines, { namespace, name });
  await environment.untilNone(vsphereMachines, name);
}

describe('a deployment zone', () => {
  const domainSpec = {
    region: { name: 'region-a', type: 'Datacenter', tagCategory: 'k8s-region' },
    zone: { name: 'zone-a', type: 'HostGroup', tagCategory: 'k8s-zone' },
    topology: {
      datacenter: 'DC0',
      computeCluster: 'DC0_C0',
      datastore: 'LocalDS_0',
      networks: ['DC0_DVPG0'],
      hosts: { vmGroupName: 'vms', hostGroupName: 'hosts' },
    },
  };

  it('reports step by step what is missing in vCenter, and is ready once everything exists', async () => {
    await createCluster(environment, 'zoned', { failureDomainSelector: {} });
    const finder = environment.finder();
    const [computeCluster, host] = [
      await finder.find('computeCluster', 'DC0_C0'),
      await finder.find('host', 'DC0_C0_H0'),
    ];
    await environment.create(vsphereFailureDomains, {
      apiVersion: api,
      kind: 'VSphereFailureDomain',
      metadata: { name: 'fd' },
      spec: domainSpec,
    });
    await environment.create(vsphereDeploymentZones, {
      apiVersion: api,
      kind: 'VSphereDeploymentZone',
      metadata: { name: 'zone-a' },
      spec: { server: environment.vcsim.server, failureDomain: 'fd', placementConstraint: { resourcePool: pool } },
    });
    const reasonIs = (reason: string) =>
      environment.untilOne(
        vsphereDeploymentZones,
        'zone-a',
        (zone) => conditionOf(zone, 'FailureDomainValidated')?.reason === reason,
      );
    const first = await reasonIs('RegionMisconfigured');
    expect(first.status?.ready).toBe(false);
    const tags = new Tags(environment.session.rest);
    const region = await tags.createTag(await tags.createCategory('k8s-region'), 'region-a');
    await tags.attach(await finder.datacenter(), [region]);
    const second = await reasonIs('ZoneMisconfigured');
    expect(conditionOf(second, 'FailureDomainValidated')?.message).toContain('tag category k8s-zone not found');
    const groups = make('ClusterConfigSpecEx', {
      groupSpec: [
        { operation: 'add', info: make('ClusterVmGroup', { name: 'vms' }) },
        { operation: 'add', info: make('ClusterHostGroup', { name: 'hosts', host: [host] }) },
      ],
    });
    await run(
      environment.session.soap.call('ReconfigureComputeResource_Task', computeCluster, { spec: groups, modify: true }),
    );
    const zone = await tags.createTag(await tags.createCategory('k8s-zone'), 'zone-a');
    await tags.attach(host, [zone]);
    await reasonIs('HostsMisconfigured');
    const info = make('ClusterVmHostRuleInfo', {
      name: 'r',
      enabled: true,
      vmGroupName: 'vms',
      affineHostGroupName: 'hosts',
    });
    const rules = make('ClusterConfigSpecEx', { rulesSpec: [{ operation: 'add', info }] });
    await run(
      environment.session.soap.call('ReconfigureComputeResource_Task', computeCluster, { spec: rules, modify: true }),
    );
    await environment.untilOne(vsphereDeploymentZones, 'zone-a', (one) => one.status?.ready === true);
    expect((await environment.get(vsphereFailureDomains, 'fd')).metadata.ownerReferences).toMatchObject([
      { kind: 'VSphereDeploymentZone' },
    ]);
    const cluster = await environment.untilOne(
      vsphereClusters,
      'zoned',
      (one) => conditionOf(one, 'FailureDomainsReady')?.status === 'True',
    );
    expect(cluster.status?.failureDomains).toEqual([{ name: 'zone-a', controlPlane: true }]);
  });

  it('places machines, adds them to its VM group, and is not deleted while they exist', async () => {
    await provisionCluster(environment, 'zoned');
    await createMachine(environment, 'placed', {
      cluster: 'zoned',
      machine: { failureDomain: 'zone-a' },
      spec: { datastore: 'none', datacenter: 'none' },
    });
    const vm = await environment.untilOne(vsphereVms, 'placed', (one) => one.status?.ready);
    expect(vm.spec).toMatchObject({ datacenter: 'DC0', datastore: 'LocalDS_0', resourcePool: pool });
    const { configurationEx } = await retrieveOne(
      environment.session.soap,
      await environment.finder().find('computeCluster', 'DC0_C0'),
      ['configurationEx'],
    );
    const vms = configurationEx?.group?.find(({ name }) => name === 'vms');
    expect(isA(vms, 'ClusterVmGroup') && vms.vm?.map(({ value }) => `VirtualMachine:${value}`)).toEqual([
      vm.status?.vmRef,
    ]);
    await environment.client.delete(vsphereDeploymentZones, { namespace: '', name: 'zone-a' });
    const held = await environment.untilOne(
      vsphereDeploymentZones,
      'zone-a',
      (one) => conditionOf(one, 'VCenterAvailable')?.reason === 'Deleting',
    );
    expect(conditionOf(held, 'VCenterAvailable')?.message).toContain(`${namespace}/placed`);
    await remove('placed');
    await environment.untilNone(vsphereDeploymentZones, 'zone-a');
    await environment.untilNone(vsphereFailureDomains, 'fd');
    expect(await environment.machineNames()).toEqual([]);
  });

  it('does not create a machine whose zone cannot be read [vsphere 34]', async () => {
    await createMachine(environment, 'nowhere', { cluster: 'zoned', machine: { failureDomain: 'none' } });
    const machine = await environment.untilOne(
      vsphereMachines,
      'nowhere',
      (one) => conditionOf(one, 'VirtualMachineProvisioned')?.reason === 'FailureDomainNotFound',
    );
    expect(conditionOf(machine, 'VirtualMachineProvisioned')?.message).toContain(
      'VSphereDeploymentZone none not found',
    );
    expect(await environment.list(vsphereVms)).toEqual([]);
    await remove('nowhere');
  });
});

describe('cluster modules', () => {
  const modules = () => new ClusterModules(environment.session.rest).list();

  it('separate the machines of a MachineDeployment, and are deleted with it', async () => {
    await createCluster(environment, 'apart');
    await provisionCluster(environment, 'apart');
    await environment.create(vsphereMachineTemplates, {
      apiVersion: api,
      kind: 'VSphereMachineTemplate',
      metadata: { name: 'workers', namespace },
      spec: { template: { spec: { ...machineSpec, server: environment.vcsim.server } } },
    });
    const template = { apiGroup: group, kind: 'VSphereMachineTemplate', name: 'workers' };
    await environment.create(machineDeployments, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'MachineDeployment',
      metadata: { name: 'apart-md', namespace, labels: { [labels.clusterName]: 'apart' } },
      spec: {
        clusterName: 'apart',
        replicas: 0,
        template: {
          spec: { clusterName: 'apart', version, bootstrap: { dataSecretName: 'x' }, infrastructureRef: template },
        },
      },
    });
    const cluster = await environment.untilOne(
      vsphereClusters,
      'apart',
      (one) => one.spec.clusterModules !== undefined,
    );
    const [module] = cluster.spec.clusterModules ?? [];
    expect(module).toMatchObject({ controlPlane: false, targetObjectName: 'apart-md' });
    expect((await modules()).map((one) => one.module)).toEqual([module?.moduleUUID]);
    await createMachine(environment, 'kept-apart', {
      cluster: 'apart',
      labels: { [labels.deploymentName]: 'apart-md' },
    });
    const vm = await environment.untilOne(vsphereVms, 'kept-apart', (one) => one.status?.ready);
    expect(vm.status?.moduleUUID).toBe(module?.moduleUUID);
    const members = await new ClusterModules(environment.session.rest).members(module?.moduleUUID ?? '');
    expect(members?.map((moid) => `VirtualMachine:${moid}`)).toEqual([vm.status?.vmRef]);
    await remove('kept-apart');
    await environment.client.delete(machineDeployments, { namespace, name: 'apart-md' });
    await environment.untilOne(vsphereClusters, 'apart', (one) => one.spec.clusterModules === undefined);
    expect(await modules()).toEqual([]);
  });

  it('are deleted before the credentials [vsphere 38]', async () => {
    const deployment = await environment.get(vsphereMachineTemplates, 'workers');
    expect(deployment.metadata.name).toBe('workers');
    const cluster = await environment.finder().find('computeCluster', 'DC0_C0');
    const moduleUUID = await new ClusterModules(environment.session.rest).create(cluster.value);
    const clusterModules = [{ controlPlane: true, targetObjectName: 'kcp', moduleUUID }];
    await environment.merge(clusters, 'apart', { spec: { paused: true } });
    await environment.merge(vsphereClusters, 'apart', { spec: { clusterModules } });
    await environment.client.delete(vsphereClusters, { namespace, name: 'apart' });
    await environment.merge(clusters, 'apart', { spec: { paused: false } });
    await environment.untilNone(vsphereClusters, 'apart');
    expect(await modules()).toEqual([]);
    await environment.untilNone(secrets, 'apart');
  });
});

describe('an identity', () => {
  it('can be used by its allowed namespaces, and deletes its Secret', async () => {
    const data = { username: 'admin', password: 'v&ry<secret>' };
    await environment.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'shared', namespace: 'capv-system' },
      stringData: data,
    });
    await environment.create(vsphereClusterIdentities, {
      apiVersion: api,
      kind: 'VSphereClusterIdentity',
      metadata: { name: 'shared' },
      spec: { secretName: 'shared' },
    });
    await environment.untilOne(vsphereClusterIdentities, 'shared', (one) => one.status?.ready);
    await createCluster(environment, 'guest', { identityRef: { kind: 'VSphereClusterIdentity', name: 'shared' } });
    const refused = await environment.untilOne(vsphereClusters, 'guest', (one) =>
      /no namespaces are allowed to use this identity/.test(conditionOf(one, 'VCenterAvailable')?.message ?? ''),
    );
    expect(conditionOf(refused, 'VCenterAvailable')?.status).toBe('False');
    const selector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    await environment.merge(vsphereClusterIdentities, 'shared', { spec: { allowedNamespaces: { selector } } });
    await environment.untilOne(
      vsphereClusters,
      'guest',
      (one) => conditionOf(one, 'VCenterAvailable')?.status === 'True',
    );
    await environment.client.delete(vsphereClusterIdentities, { namespace: '', name: 'shared' });
    await environment.untilNone(vsphereClusterIdentities, 'shared');
    await expect(environment.client.get(secrets, { namespace: 'capv-system', name: 'shared' })).rejects.toThrow(
      'not found',
    );
  });

  it('reports that its Secret is missing or has another owner', async () => {
    await environment.create(vsphereClusterIdentities, {
      apiVersion: api,
      kind: 'VSphereClusterIdentity',
      metadata: { name: 'poor' },
      spec: { secretName: 'none' },
    });
    const poor = await environment.untilOne(
      vsphereClusterIdentities,
      'poor',
      (one) => conditionOf(one, 'Available')?.status === 'False',
    );
    expect(conditionOf(poor, 'Available')?.reason).toBe('SecretNotAvailable');
    expect(poor.status?.ready).toBeUndefined();
  });
});
