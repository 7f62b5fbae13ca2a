import { expect, it } from 'vitest';
import { catalogue, situations } from '../catalogue/index.js';
import { clusterRows } from './cluster-rows.js';
import { controlPlaneRows } from './control-plane-rows.js';
import { workerRows } from './worker-rows.js';

/** Areas whose states are written by hand, with the reason. */
const areasByHand: Readonly<Record<string, string>> = {
  'Machines on the host': 'the controllers are not part of the plane of these tests',
  'QEMU virtual machines': 'the controllers are not part of the plane of these tests',
  'vSphere with vCenter': 'the controllers need a vCenter simulator, which is not a Node program',
  'vSphere in Supervisor mode': 'the controllers are not part of the plane of these tests',
  'vSphere drivers': 'the controllers are not part of the plane of these tests',
  'Provider operator': 'the controllers are not part of the plane of these tests',
  OpenShift: 'the controllers are not part of the plane of these tests',
};

/** Other situations whose states are written by hand, with the reason. */
const byHand: Readonly<Record<string, string>> = {
  'a runtime extension does not respond': 'calls of an extension take real time',
  'a runtime extension does not respond during an upgrade': 'calls of an extension take real time',
  'the variables of a ClusterClass cannot be discovered': 'calls of an extension take real time',
  'the infrastructure of a deleted Machine is being removed': 'a DevMachine is removed in one reconcile',
  'a provider of another vendor denies a machine': 'no controller of another vendor runs here',
  'the port of a simulated cluster is in use': 'the simulated clusters of these tests have no ports',
};

it('creates every situation with real controllers, or gives the reason why its state is written by hand', () => {
  const real = [...clusterRows, ...controlPlaneRows, ...workerRows].map(({ row }) => row);
  const excused = Object.keys(areasByHand).flatMap((area) => (catalogue[area] ?? []).map(({ name }) => name));
  const covered = [...real, ...excused, ...Object.keys(byHand)];
  expect(covered.toSorted()).toEqual(situations.map(({ name }) => name).toSorted());
  expect(real.length).toBeGreaterThanOrEqual(35);
});
