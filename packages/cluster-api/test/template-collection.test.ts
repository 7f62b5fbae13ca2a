import { afterEach, beforeEach, expect, it } from 'vitest';
import { clusters, labels, machineDeployments, machineSets, nameOf } from '../src/index.js';
import { keyOfName, machineDeployment, MachineWorld } from './support/machine-world.js';
import { testConfigTemplates, testMachineTemplates } from './support/provider-kinds.js';

let world: MachineWorld;
const deployments = machineDeployments;
const create = (): Promise<unknown> =>
  world.plane.client.create(
    machineDeployments,
    machineDeployment(1, ({ metadata, spec }) => {
      metadata.labels = { [labels.topologyOwned]: '' };
      spec.template.metadata = { labels: { ...spec.template.metadata?.labels, ...metadata.labels } };
    }),
  );
const templates = async (): Promise<string[][]> => [
  await world.names(testConfigTemplates),
  await world.names(testMachineTemplates),
];

beforeEach(async () => {
  world = await MachineWorld.start({ gate: 'ClusterTopology' });
});
afterEach(() => world.plane.stop());

it('deletes a rotated template with the last MachineSet that uses it', async () => {
  await create();
  await world.actor.act(3);
  const { items: sets } = await world.plane.client.list(machineSets, { namespace: 'default' });
  expect(sets[0]?.metadata.finalizers).toEqual(['cluster.x-k8s.io/machineset', 'machineset.topology.cluster.x-k8s.io']);
  expect((await world.deployment()).metadata.finalizers).toContain('machinedeployment.topology.cluster.x-k8s.io');
  await world.createTemplate(testMachineTemplates, 'machine-2');
  const infrastructureRef = { name: 'machine-2' };
  await world.patch(deployments, 'md', { spec: { template: { spec: { infrastructureRef } } } });
  await world.plane.settle();
  expect(await templates()).toEqual([['config'], ['machine', 'machine-2']]);
  await world.actor.act(8);
  const { items: left } = await world.plane.client.list(machineSets, { namespace: 'default' });
  expect(left).toHaveLength(1);
  expect(nameOf(left[0] as never)).not.toBe(nameOf(sets[0] as never));
  expect(await templates()).toEqual([['config'], ['machine-2']]);
});

it('deletes all templates with the deployment', async () => {
  await create();
  await world.actor.act(3);
  await world.plane.client.delete(machineDeployments, keyOfName('md'));
  await world.actor.act(4);
  await world.plane.untilGone(deployments, keyOfName('md'));
  expect(await templates()).toEqual([[], []]);
});

it('deletes the templates of a deployment that never created a MachineSet', async () => {
  await world.patch(clusters, 'c', { spec: { paused: true } });
  await create();
  await world.plane.settle();
  await world.patch(deployments, 'md', {
    metadata: { finalizers: ['machinedeployment.topology.cluster.x-k8s.io'] },
  });
  await world.plane.client.delete(machineDeployments, keyOfName('md'));
  await world.plane.settle();
  expect(await templates()).toEqual([['config'], ['machine']]);
  await world.patch(clusters, 'c', { spec: { paused: false } });
  await world.plane.settle();
  expect(await templates()).toEqual([[], []]);
});
