import { expect, it } from 'vitest';
import { changesSince, type PlannedObject } from './planned-objects.js';

const object = (name: string, fields: Partial<PlannedObject> = {}): PlannedObject => ({
  group: 'cluster.x-k8s.io',
  kind: 'MachineDeployment',
  namespace: 'default',
  name,
  uid: name,
  generation: 1,
  ...fields,
});

it('changesSince lists each object that changed since the plan was made', () => {
  const before = [object('same'), object('changed'), object('deleted'), object('replaced')];
  const after = [object('same'), object('changed', { generation: 2 }), object('replaced', { uid: 'x' }), object('new')];
  expect(changesSince(before, after, [])).toEqual([
    'MachineDeployment default/changed was changed',
    'MachineDeployment default/deleted was deleted',
    'MachineDeployment default/replaced was replaced',
    'MachineDeployment default/new was created',
  ]);
  expect(changesSince(before, before, [])).toEqual([]);
});

it('changesSince does not report the objects of a Cluster as created that the manifest did not affect before', () => {
  const cluster = 'default/demo';
  const before = [object('pool', { cluster })];
  const after = [
    object('pool', { cluster, generation: 2 }),
    object('old-1', { cluster }),
    object('old-2', { cluster }),
  ];
  const changed = 'MachineDeployment default/pool was changed';
  expect(changesSince(before, after, [])).toEqual([changed, 'Cluster default/demo is affected now']);
  expect(changesSince(before, after, [cluster])).toEqual([
    changed,
    'MachineDeployment default/old-1 was created',
    'MachineDeployment default/old-2 was created',
  ]);
});
