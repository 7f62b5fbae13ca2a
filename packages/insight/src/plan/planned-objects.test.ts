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
  expect(changesSince(before, after)).toEqual([
    'MachineDeployment default/changed was changed',
    'MachineDeployment default/deleted was deleted',
    'MachineDeployment default/replaced was replaced',
    'MachineDeployment default/new was created',
  ]);
  expect(changesSince(before, before)).toEqual([]);
});
