import { describe, expect, it } from 'vitest';
import { controlPlaneFixture, deploymentFixture, emptyState, topologyClass } from '../../testing/topology-objects.js';
import { makePlan } from './make-plan.js';
import { completePlan, planFromVersions, planOneMinor, upgradeRange, type UpgradeRange } from './upgrade-plan.js';

const range = (desired: string, controlPlane: string, minWorkers = ''): UpgradeRange => ({
  desired,
  controlPlane,
  minWorkers,
});

describe('the range of an upgrade', () => {
  it('is undefined before the control plane exists', () => {
    expect(upgradeRange(emptyState(), 'v1.36.0')).toBeUndefined();
  });

  it.each([
    [['v1.35.0', 'v1.34.0'], 'v1.34.0'],
    [[], ''],
    [['v1.35.0+a', 'v1.35.0+b'], 'v1.35.0+a'],
    [['v1.35.0+b', 'v1.35.0+a'], 'v1.35.0+a'],
  ])('starts at the lowest version of the workers %j', (versions, minWorkers) => {
    const current = {
      ...emptyState(),
      controlPlane: { object: controlPlaneFixture('v1.35.0+b') },
      machineDeployments: new Map(
        versions.map((version, index) => [`${index}`, deploymentFixture(`${index}`, version)]),
      ),
    };
    expect(upgradeRange(current, 'v1.36.0')).toEqual(range('v1.36.0', 'v1.35.0+b', minWorkers));
  });

  it('reports the invalid version', () => {
    const current = { ...emptyState(), controlPlane: { object: controlPlaneFixture('latest') } };
    expect(() => upgradeRange(current, 'v1.36.0')).toThrow('failed to parse version latest of the control plane');
  });
});

describe('plans without versions in the class', () => {
  it.each([
    ['v1.35.0', 'v1.35.0', []],
    ['v1.35.1', 'v1.35.0', ['v1.35.1']],
    ['v1.36.0', 'v1.35.3', ['v1.36.0']],
  ])('to %s from %s is %j', (desired, from, plan) => {
    expect(planOneMinor(range(desired, from))).toEqual(plan);
  });

  it('advance at most one minor version', () => {
    expect(() => planOneMinor(range('v1.37.0', 'v1.35.0'))).toThrow(
      'cannot compute an upgrade plan from v1.35.0 to v1.37.0',
    );
  });
});

describe('plans by the versions of the class', () => {
  const versions = ['v1.33.0', 'v1.33.1', 'v1.34.0', 'v1.34.2', 'v1.35.0', 'v1.35.1', 'v1.36.0'];
  it.each([
    ['v1.36.0', 'v1.33.0', ['v1.34.2', 'v1.35.1', 'v1.36.0']],
    ['v1.35.0', 'v1.33.1', ['v1.34.2', 'v1.35.0']],
    ['v1.33.1', 'v1.33.0', ['v1.33.1']],
    ['v1.35.1', 'v1.35.0', ['v1.35.1']],
    ['v1.34.0', 'v1.34.0', []],
    ['v1.35.0+b', 'v1.35.0+a', ['v1.35.0+b']],
  ])('to %s from %s is %j', (desired, from, plan) => {
    expect(planFromVersions(range(desired, from), versions)).toEqual(plan);
  });
});

describe('complete plans', () => {
  it.each([
    [
      'workers follow at the end',
      range('v1.36.0', 'v1.33.0', 'v1.33.0'),
      ['v1.34.0', 'v1.35.0', 'v1.36.0'],
      ['v1.36.0'],
    ],
    [
      'workers never fall more than three minor versions behind',
      range('v1.38.0', 'v1.33.0', 'v1.33.0'),
      ['v1.34.0', 'v1.35.0', 'v1.36.0', 'v1.37.0', 'v1.38.0'],
      ['v1.36.0', 'v1.38.0'],
    ],
    ['workers that are behind come along', range('v1.36.0', 'v1.36.0', 'v1.35.0'), [], ['v1.36.0']],
    ['there are no workers', range('v1.36.0', 'v1.35.0'), ['v1.36.0'], []],
  ])('%s', (_name, given, controlPlane, workers) => {
    expect(completePlan(given, controlPlane)).toEqual({ controlPlane, workers });
  });

  it('use the worker steps of the extension', () => {
    const plan = completePlan(range('v1.36.0', 'v1.34.0', 'v1.34.0'), ['v1.35.0', 'v1.36.0'], ['v1.35.0', 'v1.36.0']);
    expect(plan.workers).toEqual(['v1.35.0', 'v1.36.0']);
  });

  it.each([
    ['skip a version', range('v1.36.0', 'v1.34.0'), ['v1.36.0'], [], 'expecting a version with minor 34 or 35'],
    ['go back', range('v1.36.0', 'v1.35.0'), ['v1.34.0'], [], 'version v1.34.0 must be greater than v1.35.0'],
    ['end elsewhere', range('v1.36.0', 'v1.35.0'), ['v1.36.1'], [], 'must end with version v1.36.0'],
    ['are for nothing', range('v1.36.0', 'v1.36.0'), ['v1.36.0'], [], 'already at the desired version'],
    [
      'are for workers that there are none of',
      range('v1.36.0', 'v1.35.0'),
      ['v1.36.0'],
      ['v1.36.0'],
      'there are no workers',
    ],
    [
      'have steps of workers that the control plane has not',
      range('v1.36.0', 'v1.35.0', 'v1.35.0'),
      ['v1.36.0'],
      ['v1.35.9'],
      "versions v1.35.9 doesn't match any versions in the control plane upgrade plan",
    ],
    [
      'let workers skip too much',
      range('v1.38.0', 'v1.38.0', 'v1.34.0'),
      [],
      ['v1.38.0'],
      'workers cannot go from minor 34 (v1.34.0) to minor 38 (v1.38.0)',
    ],
    ['hold no version', range('v1.36.0', 'v1.35.0'), ['next'], [], 'failed to parse version next'],
  ])('are rejected if they %s', (_name, given, controlPlane, workers, message) => {
    expect(() => completePlan(given, controlPlane, workers)).toThrow(message);
  });
});

describe('the source of a plan', () => {
  const given = range('v1.36.0', 'v1.34.0', 'v1.34.0');
  const never = (): Promise<never> => Promise.reject(new Error('no extension is configured'));
  it('is an extension, in preference to the versions of the class', async () => {
    const clusterClass = topologyClass({
      classSpec: { upgrade: { external: { generateUpgradePlanExtension: 'plan.e' } }, kubernetesVersions: ['v1.36.0'] },
    });
    const planned = makePlan(given, clusterClass, (extension) => {
      expect(extension).toBe('plan.e');
      return Promise.resolve({ controlPlane: ['v1.35.5', 'v1.36.0'], workers: [] });
    });
    expect(await planned).toEqual({ controlPlane: ['v1.35.5', 'v1.36.0'], workers: ['v1.36.0'] });
  });

  it('is the class', async () => {
    const clusterClass = topologyClass({ classSpec: { kubernetesVersions: ['v1.34.0', 'v1.35.0', 'v1.36.0'] } });
    expect(await makePlan(given, clusterClass, never)).toEqual({
      controlPlane: ['v1.35.0', 'v1.36.0'],
      workers: ['v1.36.0'],
    });
  });

  it('is not used if there is nothing to upgrade', async () => {
    expect(await makePlan(range('v1.36.0', 'v1.36.0', 'v1.36.0'), topologyClass(), never)).toEqual({
      controlPlane: [],
      workers: [],
    });
  });
});
