import { clusterApiControllers } from '@slipway/cluster-api';
import { kubeadmControllers } from '@slipway/kubeadm';
import { createKVMControllers } from '@slipway/kvm';
import { createSupervisorControllers, createVCenter } from '@slipway/vsphere';
import { expect, it } from 'vitest';
import { controllerFlags } from './command.js';

it('help lists every flag of the controllers', () => {
  const sets = [
    clusterApiControllers,
    kubeadmControllers,
    createKVMControllers(() => ({ services: [], endpoints: [] })),
    createVCenter().controllers,
    createSupervisorControllers(),
  ];
  const brought = sets.flatMap((set) => set.settings?.map(({ flag }) => flag) ?? []);
  expect(controllerFlags).toEqual([...new Set(brought)].sort());
});
