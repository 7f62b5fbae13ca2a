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
import { conditionOf, namespace, pool, VCenterWorld } from './vcenter-world.js';

let world: VCenterWorld;
const group = 'infrastructure.cluster.x-k8s.io';
const api = `${group}/v1beta2`;

beforeAll(async () => {
  world = await VCenterWorld.start({ featureGates: ['NodeAntiAffinity'] });
});
afterAll(() => world.stop());

async function run(task: Promise<ObjectRef>): Promise<unknown> {
  return waitForTask(world.session.updates, await task);
}

async function remove(name: string): Promise<void> {
  await world.client.delete(vsphereMachines, { namespace, name });
  await world.client.delete(machines, { namespace, name });
  await world.untilNone(vsphereMachines, name);
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

  it('says step by step what is missing in vCenter, and is ready once all is there', async () => {
    await createCluster(world, 'zoned', { failureDomainSelector: {} });
    const finder = world.finder();
    const [computeCluster, host] = [
      await finder.find('computeCluster', 'DC0_C0'),
      await finder.find('host', 'DC0_C0_H0'),
    ];
    await world.create(vsphereFailureDomains, {
      apiVersion: api,
      kind: 'VSphereFailureDomain',
      metadata: { name: 'fd' },
      spec: domainSpec,
    });
    await world.create(vsphereDeploymentZones, {
      apiVersion: api,
      kind: 'VSphereDeploymentZone',
      metadata: { name: 'zone-a' },
      spec: { server: world.vcsim.server, failureDomain: 'fd', placementConstraint: { resourcePool: pool } },
    });
    const reasonIs = (reason: string) =>
      world.untilOne(
        vsphereDeploymentZones,
        'zone-a',
        (zone) => conditionOf(zone, 'FailureDomainValidated')?.reason === reason,
      );
    const first = await reasonIs('RegionMisconfigured');
    expect(first.status?.ready).toBe(false);
    const tags = new Tags(world.session.rest);
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
      world.session.soap.call('ReconfigureComputeResource_Task', computeCluster, { spec: groups, modify: true }),
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
      world.session.soap.call('ReconfigureComputeResource_Task', computeCluster, { spec: rules, modify: true }),
    );
    await world.untilOne(vsphereDeploymentZones, 'zone-a', (one) => one.status?.ready === true);
    expect((await world.get(vsphereFailureDomains, 'fd')).metadata.ownerReferences).toMatchObject([
      { kind: 'VSphereDeploymentZone' },
    ]);
    const cluster = await world.untilOne(
      vsphereClusters,
      'zoned',
      (one) => conditionOf(one, 'FailureDomainsReady')?.status === 'True',
    );
    expect(cluster.status?.failureDomains).toEqual([{ name: 'zone-a', controlPlane: true }]);
  });

  it('places machines, puts them into its VM group, and does not go while they are there', async () => {
    await provisionCluster(world, 'zoned');
    await createMachine(world, 'placed', {
      cluster: 'zoned',
      machine: { failureDomain: 'zone-a' },
      spec: { datastore: 'none', datacenter: 'none' },
    });
    const vm = await world.untilOne(vsphereVms, 'placed', (one) => one.status?.ready);
    expect(vm.spec).toMatchObject({ datacenter: 'DC0', datastore: 'LocalDS_0', resourcePool: pool });
    const { configurationEx } = await retrieveOne(
      world.session.soap,
      await world.finder().find('computeCluster', 'DC0_C0'),
      ['configurationEx'],
    );
    const vms = configurationEx?.group?.find(({ name }) => name === 'vms');
    expect(isA(vms, 'ClusterVmGroup') && vms.vm?.map(({ value }) => `VirtualMachine:${value}`)).toEqual([
      vm.status?.vmRef,
    ]);
    await world.client.delete(vsphereDeploymentZones, { namespace: '', name: 'zone-a' });
    const held = await world.untilOne(
      vsphereDeploymentZones,
      'zone-a',
      (one) => conditionOf(one, 'VCenterAvailable')?.reason === 'Deleting',
    );
    expect(conditionOf(held, 'VCenterAvailable')?.message).toContain(`${namespace}/placed`);
    await remove('placed');
    await world.untilNone(vsphereDeploymentZones, 'zone-a');
    await world.untilNone(vsphereFailureDomains, 'fd');
    expect(await world.machineNames()).toEqual([]);
  });

  it('vsphere 34: a machine whose zone cannot be read is made nowhere', async () => {
    await createMachine(world, 'nowhere', { cluster: 'zoned', machine: { failureDomain: 'none' } });
    const machine = await world.untilOne(
      vsphereMachines,
      'nowhere',
      (one) => conditionOf(one, 'VirtualMachineProvisioned')?.reason === 'FailureDomainNotFound',
    );
    expect(conditionOf(machine, 'VirtualMachineProvisioned')?.message).toContain(
      'VSphereDeploymentZone none not found',
    );
    expect(await world.list(vsphereVms)).toEqual([]);
    await remove('nowhere');
  });
});

describe('cluster modules', () => {
  const modules = () => new ClusterModules(world.session.rest).list();

  it('keep the machines of a MachineDeployment apart, and go with it', async () => {
    await createCluster(world, 'apart');
    await provisionCluster(world, 'apart');
    await world.create(vsphereMachineTemplates, {
      apiVersion: api,
      kind: 'VSphereMachineTemplate',
      metadata: { name: 'workers', namespace },
      spec: { template: { spec: { ...machineSpec, server: world.vcsim.server } } },
    });
    const template = { apiGroup: group, kind: 'VSphereMachineTemplate', name: 'workers' };
    await world.create(machineDeployments, {
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
    const cluster = await world.untilOne(vsphereClusters, 'apart', (one) => one.spec.clusterModules !== undefined);
    const [module] = cluster.spec.clusterModules ?? [];
    expect(module).toMatchObject({ controlPlane: false, targetObjectName: 'apart-md' });
    expect((await modules()).map((one) => one.module)).toEqual([module?.moduleUUID]);
    await createMachine(world, 'kept-apart', { cluster: 'apart', labels: { [labels.deploymentName]: 'apart-md' } });
    const vm = await world.untilOne(vsphereVms, 'kept-apart', (one) => one.status?.ready);
    expect(vm.status?.moduleUUID).toBe(module?.moduleUUID);
    const members = await new ClusterModules(world.session.rest).members(module?.moduleUUID ?? '');
    expect(members?.map((moid) => `VirtualMachine:${moid}`)).toEqual([vm.status?.vmRef]);
    await remove('kept-apart');
    await world.client.delete(machineDeployments, { namespace, name: 'apart-md' });
    await world.untilOne(vsphereClusters, 'apart', (one) => one.spec.clusterModules === undefined);
    expect(await modules()).toEqual([]);
  });

  it('vsphere 38: are gone before the credentials are', async () => {
    const deployment = await world.get(vsphereMachineTemplates, 'workers');
    expect(deployment.metadata.name).toBe('workers');
    const cluster = await world.finder().find('computeCluster', 'DC0_C0');
    const moduleUUID = await new ClusterModules(world.session.rest).create(cluster.value);
    const clusterModules = [{ controlPlane: true, targetObjectName: 'kcp', moduleUUID }];
    await world.merge(clusters, 'apart', { spec: { paused: true } });
    await world.merge(vsphereClusters, 'apart', { spec: { clusterModules } });
    await world.client.delete(vsphereClusters, { namespace, name: 'apart' });
    await world.merge(clusters, 'apart', { spec: { paused: false } });
    await world.untilNone(vsphereClusters, 'apart');
    expect(await modules()).toEqual([]);
    await world.untilNone(secrets, 'apart');
  });
});

describe('an identity', () => {
  it('lets the namespaces use it that it names, and takes its Secret along', async () => {
    const data = { username: 'admin', password: 'v&ry<secret>' };
    await world.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'shared', namespace: 'capv-system' },
      stringData: data,
    });
    await world.create(vsphereClusterIdentities, {
      apiVersion: api,
      kind: 'VSphereClusterIdentity',
      metadata: { name: 'shared' },
      spec: { secretName: 'shared' },
    });
    await world.untilOne(vsphereClusterIdentities, 'shared', (one) => one.status?.ready);
    await createCluster(world, 'guest', { identityRef: { kind: 'VSphereClusterIdentity', name: 'shared' } });
    const refused = await world.untilOne(vsphereClusters, 'guest', (one) =>
      /no namespaces are allowed to use this identity/.test(conditionOf(one, 'VCenterAvailable')?.message ?? ''),
    );
    expect(conditionOf(refused, 'VCenterAvailable')?.status).toBe('False');
    const selector = { matchLabels: { 'kubernetes.io/metadata.name': namespace } };
    await world.merge(vsphereClusterIdentities, 'shared', { spec: { allowedNamespaces: { selector } } });
    await world.untilOne(vsphereClusters, 'guest', (one) => conditionOf(one, 'VCenterAvailable')?.status === 'True');
    await world.client.delete(vsphereClusterIdentities, { namespace: '', name: 'shared' });
    await world.untilNone(vsphereClusterIdentities, 'shared');
    await expect(world.client.get(secrets, { namespace: 'capv-system', name: 'shared' })).rejects.toThrow('not found');
  });

  it('says that its Secret is missing, or somebody else has it', async () => {
    await world.create(vsphereClusterIdentities, {
      apiVersion: api,
      kind: 'VSphereClusterIdentity',
      metadata: { name: 'poor' },
      spec: { secretName: 'none' },
    });
    const poor = await world.untilOne(
      vsphereClusterIdentities,
      'poor',
      (one) => conditionOf(one, 'Available')?.status === 'False',
    );
    expect(conditionOf(poor, 'Available')?.reason).toBe('SecretNotAvailable');
    expect(poor.status?.ready).toBeUndefined();
  });
});
