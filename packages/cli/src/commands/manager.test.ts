import { clusterApiControllers } from '@slipway/cluster-api';
import { kubeadmControllers } from '@slipway/kubeadm';
import { createSupervisorControllers } from '@slipway/vsphere';
import { expect, it } from 'vitest';
import { controllerFlags } from './manager.js';

it('help names every flag that controllers bring along', () => {
  const brought = [clusterApiControllers, kubeadmControllers, createSupervisorControllers()].flatMap(
    (set) => set.settings?.map(({ flag }) => flag) ?? [],
  );
  expect(controllerFlags).toEqual([...new Set(brought)].sort());
});
