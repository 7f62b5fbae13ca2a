import { afterEach, beforeEach, expect, it } from 'vitest';
import { clusters, labels, machineDeployments, machineSets, nameOf } from '../src/index.js';
import { keyOfName, machineDeployment, MachineEnvironment } from './support/machine-environment.js';
import { testConfigTemplates, testMachineTemplates } from './support/provider-kinds.js';

let environment: MachineEnvironment;
const deployments = machineDeployments;
const create = (): Promise<unknown> =>
  environment.plane.client.create(
    machineDeployments,
    machineDeployment(1, ({ metadata, spec }) => {
      metadata.labels = { [labels.topologyOwned]: '' };
      spec.template.metadata = { labels: { ...spec.template.metadata?.labels, ...metadata.labels } };
    }),
  );
const templates = async (): Promise<string[][]> => [
  await environment.names(testConfigTemplates),
  await environment.names(testMachineTemplates),
];

beforeEach(async () => {
  environment = await MachineEnvironment.start({ gate: 'ClusterTopology' });
});
afterEach(() => environment.plane.stop());

it('deletes a rotated template with the last MachineSet that uses it', async () => {
  await create();
  await environment.actor.act(3);
  const { items: sets } = await environment.plane.client.list(machineSets, { namespace: 'default' });
  expect(sets[0]?.metadata.finalizers).toEqual(['cluster.x-k8s.io/machineset', 'machineset.topology.cluster.x-k8s.io']);
  expect((await environment.deployment()).metadata.finalizers).toContain('machinedeployment.topology.cluster.x-k8s.io');
  await environment.createTemplate(testMachineTemplates, 'machine-2');
  const infrastructureRef = { name: 'machine-2' };
  await environment.patch(deployments, 'md', { spec: { template: { spec: { infrastructureRef } } } });
  await environment.plane.settle();
  expect(await templates()).toEqual([['config'], ['machine', 'machine-2']]);
  await environment.actor.act(8);
  const { items: left } = await environment.plane.client.list(machineSets, { namespace: 'default' });
  expect(left).toHaveLength(1);
  expect(nameOf(left[0] as never)).not.toBe(nameOf(sets[0] as never));
  expect(await templates()).toEqual([['config'], ['machine-2']]);
});

it('deletes all templates with the deployment', async () => {
  await create();
  await environment.actor.act(3);
  await environment.plane.client.delete(machineDeployments, keyOfName('md'));
  await environment.actor.act(4);
  await environment.plane.untilGone(deployments, keyOfName('md'));
  expect(await templates()).toEqual([[], []]);
});

it('deletes the templates of a deployment that never created a MachineSet', async () => {
  await environment.patch(clusters, 'c', { spec: { paused: true } });
  await create();
  await environment.plane.settle();
  await environment.patch(deployments, 'md', {
    metadata: { finalizers: ['machinedeployment.topology.cluster.x-k8s.io'] },
  });
  await environment.plane.client.delete(machineDeployments, keyOfName('md'));
  await environment.plane.settle();
  expect(await templates()).toEqual([['config'], ['machine']]);
  await environment.patch(clusters, 'c', { spec: { paused: false } });
  await environment.plane.settle();
  expect(await templates()).toEqual([[], []]);
});
