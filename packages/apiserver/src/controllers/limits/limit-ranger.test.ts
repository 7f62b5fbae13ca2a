import type { KubeObject } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fields, list } from '../../kinds/shared/fields.js';
import { Plane } from '../testing/plane.js';
import { createLimitRanger } from './limit-ranger.js';

let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  await plane.namespace('x');
  plane.admission.add(createLimitRanger(plane.store));
});

afterEach(() => plane.dispose());

async function range(limit: object): Promise<void> {
  const metadata = { name: 'l', namespace: 'x' };
  await plane.client.create({ apiVersion: 'v1', kind: 'LimitRange', metadata, spec: { limits: [limit] } });
}

function pod(resources: object): Promise<unknown> {
  const containers = [{ name: 'c', image: 'i', resources }];
  return plane.client.create({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'x' },
    spec: { containers },
  });
}

function claim(storage: string): Promise<unknown> {
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'p', namespace: 'x' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  };
  return plane.client.create(object);
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  return attempt.then(
    () => '',
    (error: unknown) => (error as Error).message.replace(/^\S+ "p" is forbidden: /, ''),
  );
}

describe('LimitRanger plugin', () => {
  it('sets default requests and limits of containers', async () => {
    await range({ type: 'Container', default: { memory: '512Mi' }, defaultRequest: { cpu: '100m', memory: '256Mi' } });
    await pod({ requests: { memory: '300Mi' } });
    const created = plane.get('pods', 'x', 'p');
    expect(fields(list(fields(created?.['spec'])['containers'])[0]?.['resources'])).toEqual({
      requests: { cpu: '100m', memory: '300Mi' },
      limits: { memory: '512Mi' },
    });
    expect(created?.metadata.annotations).toEqual({
      'kubernetes.io/limit-ranger': 'LimitRanger plugin set: cpu request for container c; memory limit for container c',
    });
    expect(fields(created?.['status'])['qosClass']).toBe('Burstable');
  });

  it.each([
    [
      'min',
      { min: { cpu: '100m' } },
      { requests: { cpu: '50m' } },
      'minimum cpu usage per Container is 100m, but request is 50m',
    ],
    [
      'max',
      { max: { memory: '1Gi' } },
      { limits: { memory: '2Gi' } },
      'maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'max, with an explicit request',
      { max: { memory: '1Gi' } },
      { requests: { memory: '1Gi' }, limits: { memory: '2Gi' } },
      'maximum memory usage per Container is 1Gi, but limit is 2Gi',
    ],
    [
      'ratio',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '100m' }, limits: { cpu: '300m' } },
      'cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000',
    ],
    [
      'ratio without a limit',
      { maxLimitRequestRatio: { cpu: '2' } },
      { requests: { cpu: '100m' } },
      'cpu max limit to request ratio per Container is 2, but no limit is specified or limit is 0',
    ],
  ])('rejects containers that violate %s', async (_name, limit, resources, text) => {
    await range({ type: 'Container', ...limit });
    expect(await refusal(pod(resources))).toContain(text);
  });

  it('rejects pods that exceed the Pod limits', async () => {
    await range({ type: 'Pod', max: { cpu: '1' } });
    expect(await refusal(pod({}))).toBe('maximum cpu usage per Pod is 1.  No limit is specified');
    expect(await refusal(pod({ limits: { cpu: '2' } }))).toBe('maximum cpu usage per Pod is 1, but limit is 2');
    expect(await refusal(pod({ limits: { cpu: '1' } }))).toBe('');
  });

  it('rejects claims that exceed the limits', async () => {
    await range({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' }, max: { storage: '2Gi' } });
    expect(await refusal(claim('512Mi'))).toBe(
      'minimum storage usage per PersistentVolumeClaim is 1Gi, but request is 512Mi',
    );
    expect(await refusal(claim('3Gi'))).toBe(
      'maximum storage usage per PersistentVolumeClaim is 2Gi, but request is 3Gi',
    );
    expect(await refusal(claim('1Gi'))).toBe('');
  });

  it('reports several problems in brackets', async () => {
    await range({ type: 'Container', min: { cpu: '1', memory: '1Gi' } });
    expect(await refusal(pod({ requests: { cpu: '100m', memory: '1Mi' } }))).toBe(
      '[minimum cpu usage per Container is 1, but request is 100m, minimum memory usage per Container is 1Gi, but request is 1Mi]',
    );
  });
});
