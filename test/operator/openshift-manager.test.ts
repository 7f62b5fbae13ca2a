import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clusters, machines, machineSets } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import {
  type ClusterOperator,
  clusterOperators,
  mapiMachines,
  mapiMachineSets,
  openShiftAccount,
} from '@slipway/openshift';
import { providerResources } from '@slipway/operator';
import {
  configMaps,
  deployments,
  ifPresent,
  isConditionTrue,
  type Conditioned,
  type ObjectKey,
  type Resource,
  roles,
  secrets,
} from '@slipway/runtime';
import { untilObject, untilObjectGone } from '@slipway/testing/plane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  authorityOf,
  isPaused,
  mapiMachine,
  mapiSet,
  providerSpecs,
  conditionText,
  statusOf,
} from '../../packages/openshift/test/migration-fixture.js';
import { startPeer } from '../support/peer-process.js';
import { untilRolesCount } from './audited-account.js';
import { installedSlipway } from '../../packages/cli/test/support/installed.js';
import { ManagerUnderAccount } from './manager-under-account.js';
import { infraName } from './openshift-server.js';

const { namespace } = openShiftAccount;
const own = (name: string): ObjectKey => ({ namespace, name });
const mapi = (name: string): ObjectKey => ({ namespace: 'openshift-machine-api', name });
const providerSpec = providerSpecs['AWS'] ?? {};

describe('slipway manager --openshift-releases, with only the permissions of its ServiceAccount', () => {
  let on: ManagerUnderAccount;
  beforeAll(async () => {
    on = await ManagerUnderAccount.start();
  });
  afterAll(() => on?.stop());

  const until = <T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    holds: (object: Frozen<T>) => boolean = () => true,
  ): Promise<Frozen<T>> => untilObject(on.client, resource, key, holds, 120_000);
  const untilGone = (resource: Resource, key: ObjectKey): Promise<void> =>
    untilObjectGone(on.client, resource, key, 120_000);
  const isReady =
    (version: string) =>
    (provider: Frozen<KubeObject>): boolean =>
      isConditionTrue(provider as Conditioned, 'Ready') && statusOf(provider)['installedVersion'] === version;
  const merge = (resource: Resource, key: ObjectKey, patch: object): Promise<unknown> =>
    on.client.patch(resource, key, { type: 'merge', patch: patch as never });

  const exempt = (resource: Resource, key: ObjectKey, patch: object): Promise<unknown> =>
    on.exempt.patch(resource, key, { type: 'merge', patch: patch as never });

  it('reports, installs the providers of its directory once the feature gate is enabled, and maintains a kubeconfig', async () => {
    const isAvailable = ({ status }: Frozen<ClusterOperator>): boolean =>
      status?.conditions?.some((each) => each.type === 'Available' && each.status === 'True') === true;
    const idle = await until(clusterOperators, { namespace: '', name: 'cluster-api' }, isAvailable);
    expect(idle.status?.versions).toContainEqual({ name: 'operator', version: '4.20.0' });
    await on.setFeatureSet('TechPreviewNoUpgrade');
    await until(providerResources.CoreProvider, own('cluster-api'), isReady('v1.12.0'));
    await until(providerResources.InfrastructureProvider, own('aws'), isReady('v2.9.0'));
    for (const name of ['capi-controller-manager', 'aws-controller-manager']) {
      const { spec } = await on.client.get(deployments, own(name));
      // The Deployment uses the images of the payload instead of those in the releases.
      expect(spec?.template.spec?.containers.map(({ image }) => image)).not.toContain('to.be/replaced:v99');
    }
    await until(secrets, own(`${infraName}-kubeconfig`), ({ data }) => data?.['value'] !== undefined);
    expect(on.refused()).toEqual([]);
  });

  it('creates the InfraCluster and the Cluster, copies user data, and installs the approver', async () => {
    await until(on.infra('AWSCluster'), own(infraName), (one) => statusOf(one)['ready'] === true);
    await until(clusters, own(infraName), (one) => one.status?.initialization?.controlPlaneInitialized === true);
    await until(secrets, own('worker-user-data'));
    await until(deployments, { namespace: 'openshift-cluster-machine-approver', name: 'machine-approver-capi' });
    // The request is rejected by the webhook that the payload registered.
    await expect(on.client.delete(clusters, own(infraName))).rejects.toThrow(
      /represents the cluster that the operator runs in/,
    );
    expect(on.refused()).toEqual([]);
  });

  it('reverts changes of others, and re-creates deleted objects', async () => {
    await merge(secrets, own('worker-user-data'), { data: { userData: 'AAAA' } });
    await until(secrets, own('worker-user-data'), ({ data }) => data?.['userData'] !== 'AAAA');
    await merge(secrets, own(`${infraName}-kubeconfig`), { data: { value: 'AAAA' } });
    await until(secrets, own(`${infraName}-kubeconfig`), ({ data }) => data?.['value'] !== 'AAAA');
    const manager = await on.client.get(deployments, own('aws-controller-manager'));
    await on.client.delete(deployments, own('aws-controller-manager'));
    await until(deployments, own('aws-controller-manager'), ({ metadata }) => metadata.uid !== manager.metadata.uid);
    expect(on.refused()).toEqual([]);
  });

  it('upgrades a provider with the next release', async () => {
    await on.release('v2.10.0');
    await until(providerResources.InfrastructureProvider, own('aws'), isReady('v2.10.0'));
    await until(configMaps, own('infrastructure-aws-v2.10.0'));
    expect(on.refused()).toEqual([]);
  });

  it('migrates machines once the release has installed the prerequisites', async () => {
    await on.allowMigration();
    await on.setFeatureSet('DevPreviewNoUpgrade');
    const synchronized =
      (authority: string) =>
      (one: Frozen<KubeObject>): boolean =>
        authorityOf(one) === authority && conditionText(one, 'Synchronized').startsWith('True');
    await on.exempt.create(mapiMachines, mapiMachine('one', providerSpec, 'MachineAPI'));
    await until(machines, own('one'), (one) => isPaused(one) && statusOf(one)['nodeRef'] !== undefined);
    await until(mapiMachines, mapi('one'), synchronized('MachineAPI'));
    await exempt(mapiMachines, mapi('one'), { spec: { authoritativeAPI: 'ClusterAPI' } });
    await until(mapiMachines, mapi('one'), synchronized('ClusterAPI'));
    await exempt(machines, own('one'), { metadata: { labels: { team: 'red' } } });
    await until(mapiMachines, mapi('one'), ({ metadata }) => metadata.labels?.['team'] === 'red');
    await exempt(mapiMachines, mapi('one'), { spec: { authoritativeAPI: 'MachineAPI' } });
    await until(mapiMachines, mapi('one'), synchronized('MachineAPI'));
    await on.exempt.delete(machines, own('one'));
    for (const [resource, key] of [
      [mapiMachines, mapi('one')],
      [machines, own('one')],
      [on.infra('AWSMachine'), own('one')],
    ] as const)
      await untilGone(resource as Resource, key);
    expect(on.refused()).toEqual([]);
  });

  it('migrates MachineSets with their templates, and the machines that they create on the other side', async () => {
    await on.exempt.create(mapiMachineSets, mapiSet('pool', providerSpec, 'MachineAPI'));
    const twin = await until(machineSets, own('pool'), (one) => statusOf(one)['readyReplicas'] === 1);
    const before = twin.spec?.template.spec.infrastructureRef.name ?? '';
    const changed = { template: { spec: { providerSpec: { value: { ...providerSpec, instanceType: 'other' } } } } };
    await exempt(mapiMachineSets, mapi('pool'), { spec: changed });
    await untilGone(on.infra('AWSMachineTemplate'), own(before));
    await until(mapiMachineSets, mapi('pool'), (one) => conditionText(one, 'Synchronized').startsWith('True'));
    await exempt(mapiMachineSets, mapi('pool'), { spec: { authoritativeAPI: 'ClusterAPI' } });
    await until(
      mapiMachineSets,
      mapi('pool'),
      (one) => authorityOf(one) === 'ClusterAPI' && conditionText(one, 'Synchronized').startsWith('True'),
    );
    await exempt(machineSets, own('pool'), { spec: { replicas: 2 } });
    await until(mapiMachineSets, mapi('pool'), (one) => statusOf(one)['readyReplicas'] === 2);
    // Cluster API drains the machine with the kubeconfig of the cluster.
    const { items } = await on.exempt.list(machines, { namespace });
    const made = items.filter(({ metadata }) => metadata.name?.startsWith('pool-'));
    expect(made).toHaveLength(2);
    await on.exempt.delete(machineSets, own('pool'));
    for (const { metadata } of made) {
      await untilGone(machines as Resource, own(metadata.name ?? ''));
      await untilGone(mapiMachines as Resource, mapi(metadata.name ?? ''));
    }
    await untilGone(machineSets as Resource, own('pool'));
    await untilGone(mapiMachineSets as Resource, mapi('pool'));
    expect(on.refused()).toEqual([]);
  });

  it('deletes the twin of a machine that is deleted in Machine API', async () => {
    await on.exempt.create(mapiMachines, mapiMachine('two', providerSpec, 'MachineAPI'));
    await until(on.infra('AWSMachine'), own('two'), (one) => statusOf(one)['ready'] === true);
    await on.exempt.delete(mapiMachines, mapi('two'));
    await untilGone(on.infra('AWSMachine'), own('two'));
    await untilGone(machines as Resource, own('two'));
    await untilGone(mapiMachines as Resource, mapi('two'));
    expect(on.refused()).toEqual([]);
  });

  it('detects a missing permission', async () => {
    const key = own('openshift-cluster-api-cluster-capi-operator');
    const role = await on.client.get(roles, key);
    const rules = role.rules ?? [];
    const taken = rules.filter(({ resources }) => resources?.includes('secrets'));
    expect(taken).toHaveLength(1);
    await merge(roles, key, { rules: rules.filter((rule) => !taken.includes(rule)) });
    await untilRolesCount(on.client, openShiftAccount, [{ ...role, rules: taken }], false);
    await ifPresent(on.client.delete(secrets, own('worker-user-data')));
    await expect.poll(() => on.refused()).toContain('create secrets openshift-cluster-api/');
    await merge(roles, key, { rules });
    await until(secrets, own('worker-user-data'));
  });
});

describe('a folder of releases', () => {
  it.each(['manager', 'operator openshift-payload'])('is rejected by %s without Cluster API in it', async (args) => {
    const folder = mkdtempSync(join(tmpdir(), 'openshift-manager-'));
    const manager = startPeer(process.execPath, [installedSlipway, ...args.split(' '), '--openshift-releases', folder]);
    const [reported] = await manager.said(/does not contain a Cluster API release[\s\S]*components\.yaml/);
    await manager.stop();
    expect(reported).toContain('metadata.yaml and core-components.yaml');
    rmSync(folder, { recursive: true, force: true });
  });
});
