import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fields, list } from '../../kinds/shared/fields.js';
import { apiServices } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startApiServices } from './api-services.js';

const resource = 'apiregistration.k8s.io/apiservices';
const managed = 'kube-aggregator.kubernetes.io/automanaged';
let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  plane.run(startApiServices(plane));
  await plane.settle();
});

afterEach(() => plane.dispose());

describe('APIServices', () => {
  it('lists the built-in groups as local and available', () => {
    expect(plane.names(resource)).toContain('v1.apps');
    expect(plane.names(resource)).not.toContain('v1.apiregistration.k8s.io');
    const core = plane.get(resource, '', 'v1.');
    expect(core?.metadata.labels).toEqual({ [managed]: 'onstart' });
    expect(core?.['spec']).toEqual({ version: 'v1', groupPriorityMinimum: 18_000, versionPriority: 1 });
    const [condition] = list(fields(core?.['status'])['conditions']);
    expect(condition).toMatchObject({ type: 'Available', status: 'True', reason: 'Local' });
  });

  it('creates and deletes APIServices with custom groups', async () => {
    await plane.define('Widget');
    await plane.settle();
    expect(plane.get(resource, '', 'v1.example.com')?.metadata.labels).toEqual({ [managed]: 'true' });
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await plane.client.delete(crds, '', 'widgets.example.com');
    await plane.advance(1000);
    expect(plane.get(resource, '', 'v1.example.com')).toBeUndefined();
  });

  it('reports that the APIService of an aggregated API server is not available', async () => {
    const spec = { group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 };
    const name = 'v1beta1.metrics.k8s.io';
    await plane.client.create({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name },
      spec: { ...spec, insecureSkipTLSVerify: true, service: { name: 'metrics-server', namespace: 'kube-system' } },
    });
    const available = (): unknown => list(fields(plane.get(resource, '', name)?.['status'])['conditions']);
    const unavailable = { type: 'Available', status: 'False', reason: 'AggregationNotSupported' };
    expect(available()).toMatchObject([unavailable]);
    await plane.client.patch(apiServices, '', name, { spec: { service: null } });
    expect(available()).toMatchObject([{ type: 'Available', status: 'True', reason: 'Local' }]);
    await plane.client.patch(apiServices, '', name, { spec: { service: { name: 'other', namespace: 'kube-system' } } });
    expect(available()).toMatchObject([unavailable]);
  });

  it('restores deleted and edited APIServices', async () => {
    await plane.client.delete(apiServices, '', 'v1.apps');
    await plane.client.patch(apiServices, '', 'v1.batch', { spec: { versionPriority: 99 } });
    await plane.advance(1000);
    expect(plane.get(resource, '', 'v1.apps')).toBeDefined();
    expect(fields(plane.get(resource, '', 'v1.batch')?.['spec'])['versionPriority']).toBe(15);
  });
});
