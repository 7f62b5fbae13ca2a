import type { StatusError } from '@slipway/kube';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fields, list } from '../../kinds/shared/fields.js';
import { coreResources } from '../shared/index.js';
import { Plane } from '../testing/plane.js';
import { startNamespaceController } from './namespace-controller.js';

let plane: Plane;

beforeEach(async () => {
  plane = await Plane.open();
  plane.run(startNamespaceController(plane));
  await plane.settle();
});

afterEach(() => plane.dispose());

const remove = (name: string) => plane.client.delete(coreResources.namespaces, '', name);
const hold = { finalizers: ['example.com/hold'] };

function conditions(name: string): Record<string, [status: unknown, reason: unknown, message: unknown]> {
  const found = list(fields(plane.get('namespaces', '', name)?.['status'])['conditions']);
  return Object.fromEntries(
    found.map(({ type, status, reason, message }) => [String(type), [status, reason, message]]),
  );
}

async function release(name: string): Promise<void> {
  await plane.client.patch(coreResources.configMaps, 'x', name, { metadata: { finalizers: null } });
}

describe('namespace controller', () => {
  it('creates default, kube-system, kube-public and kube-node-lease at start', () => {
    expect(plane.names('namespaces')).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system']);
  });

  it('re-creates kube-node-lease', async () => {
    const before = plane.get('namespaces', '', 'kube-node-lease')?.metadata.uid;
    await remove('kube-node-lease');
    await plane.advance(1000);
    const after = plane.get('namespaces', '', 'kube-node-lease');
    expect(after?.metadata.uid).not.toBe(before);
    expect(after?.metadata.deletionTimestamp).toBeUndefined();
  });

  it('deletes an empty namespace immediately', async () => {
    await plane.namespace('x');
    await remove('x');
    await plane.settle();
    expect(plane.get('namespaces', '', 'x')).toBeUndefined();
  });

  it('deletes the content of a namespace, built-in and custom resources', async () => {
    await plane.define('Widget');
    await plane.namespace('x');
    await plane.configMap('x', 'one');
    await plane.configMap('default', 'other');
    await plane.client.create({
      apiVersion: 'example.com/v1',
      kind: 'Widget',
      metadata: { name: 'w', namespace: 'x' },
    });
    await remove('x');
    await plane.settle();
    expect(plane.get('namespaces', '', 'x')).toBeUndefined();
    expect(plane.names('configmaps')).toEqual(['other']);
    expect(plane.names('example.com/widgets')).toEqual([]);
  });

  it('waits for finalizers and reports them in conditions', async () => {
    await plane.namespace('x');
    await plane.configMap('x', 'one', hold);
    await plane.configMap('x', 'two', hold);
    await remove('x');
    await plane.settle();
    expect(fields(plane.get('namespaces', '', 'x')?.['status'])['phase']).toBe('Terminating');
    expect(conditions('x')).toEqual({
      NamespaceDeletionDiscoveryFailure: ['False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      NamespaceDeletionGroupVersionParsingFailure: [
        'False',
        'ParsedGroupVersions',
        'All legacy kube types successfully parsed',
      ],
      NamespaceDeletionContentFailure: [
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      NamespaceContentRemaining: [
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: configmaps. has 2 resource instances',
      ],
      NamespaceFinalizersRemaining: [
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.com/hold in 2 resource instances',
      ],
    });
    await release('one');
    await plane.settle();
    expect(conditions('x')['NamespaceContentRemaining']?.[2]).toBe(
      'Some resources are remaining: configmaps. has 1 resource instances',
    );
    await release('two');
    await plane.settle();
    expect(plane.get('namespaces', '', 'x')).toBeUndefined();
  });

  it('deletes pods before other content', async () => {
    await plane.namespace('x');
    await plane.configMap('x', 'one');
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await plane.client.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'x', ...hold },
      spec,
    });
    await remove('x');
    await plane.settle();
    expect(plane.names('configmaps', 'x')).toEqual(['one']);
    expect(conditions('x')['NamespaceContentRemaining']?.[2]).toBe(
      'Some resources are remaining: pods. has 1 resource instances',
    );
    await plane.client.patch(coreResources.pods, 'x', 'p', { metadata: { finalizers: null } });
    await plane.settle();
    expect(plane.get('namespaces', '', 'x')).toBeUndefined();
  });

  it('keeps a namespace with its own finalizers after its content is deleted', async () => {
    const name = 'x';
    await plane.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...hold } });
    await remove(name);
    await plane.settle();
    expect(fields(plane.get('namespaces', '', name)?.['spec'])['finalizers'] ?? []).toEqual([]);
    await plane.client.patch(coreResources.namespaces, '', name, { metadata: { finalizers: null } });
    await plane.settle();
    expect(plane.get('namespaces', '', name)).toBeUndefined();
  });

  it('keeps spec.finalizers of other controllers', async () => {
    const spec = { finalizers: ['example.com/mine'] };
    await plane.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'x' }, spec });
    await remove('x');
    await plane.settle();
    expect(fields(plane.get('namespaces', '', 'x')?.['spec'])['finalizers']).toEqual(['example.com/mine']);
  });

  it('deletes a namespace although a CRD is deleted meanwhile', async () => {
    await plane.define('Widget');
    await plane.namespace('x');
    const metadata = { name: 'w', namespace: 'x', ...hold };
    await plane.client.create({ apiVersion: 'example.com/v1', kind: 'Widget', metadata });
    await remove('x');
    await plane.settle();
    expect(conditions('x')['NamespaceContentRemaining']?.[2]).toBe(
      'Some resources are remaining: widgets.example.com has 1 resource instances',
    );
    const crds = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
    await plane.client.delete(crds, '', 'widgets.example.com');
    await plane.settle();
    const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' };
    await plane.client.patch(widgets, 'x', 'w', { metadata: { finalizers: null } });
    await plane.advance(1000);
    expect(plane.names('apiextensions.k8s.io/customresourcedefinitions')).toEqual([]);
    expect(plane.get('namespaces', '', 'x')).toBeUndefined();
  });

  it('finishes the deletion of a namespace that another controller started', async () => {
    const first = await Plane.open();
    const controller = startNamespaceController(first);
    await first.namespace('x');
    await first.configMap('x', 'one', hold);
    await first.client.delete(coreResources.namespaces, '', 'x');
    await first.settle();
    await controller.dispose();
    await first.client.patch(coreResources.configMaps, 'x', 'one', { metadata: { finalizers: null } });
    await first.settle();
    expect(first.get('namespaces', '', 'x')).toBeDefined();
    first.run(startNamespaceController(first));
    await first.settle();
    expect(first.get('namespaces', '', 'x')).toBeUndefined();
    await first.dispose();
  });
});

describe('admission by namespace', () => {
  const failure = async (attempt: Promise<unknown>): Promise<Partial<StatusError>> => {
    const error = await attempt.then(
      () => undefined,
      (reason: unknown) => reason as StatusError,
    );
    const { code, reason, message, details } = error ?? {};
    const shown = { code, reason, message };
    return (details?.causes === undefined ? shown : { ...shown, details }) as Partial<StatusError>;
  };

  it('returns 404 for a create in a missing namespace', async () => {
    expect(await failure(plane.configMap('missing', 'x'))).toEqual({
      code: 404,
      reason: 'NotFound',
      message: 'namespaces "missing" not found',
    });
  });

  it('returns 403 with the cause NamespaceTerminating for a create in a terminating namespace', async () => {
    await plane.namespace('x');
    await plane.configMap('x', 'one', hold);
    await remove('x');
    expect(await failure(plane.configMap('x', 'two'))).toEqual({
      code: 403,
      reason: 'Forbidden',
      message:
        'configmaps "two" is forbidden: unable to create new content in namespace x because it is being terminated',
      details: {
        name: 'two',
        kind: 'configmaps',
        causes: [
          { reason: 'NamespaceTerminating', message: 'namespace x is being terminated', field: 'metadata.namespace' },
        ],
      },
    });
  });

  it('allows updates and deletes in terminating namespaces', async () => {
    await plane.namespace('x');
    await plane.configMap('x', 'one', hold);
    await remove('x');
    await plane.settle();
    await plane.client.patch(coreResources.configMaps, 'x', 'one', { data: { a: 'b' } });
    expect(fields(plane.get('configmaps', 'x', 'one')?.['data'])).toEqual({ a: 'b' });
  });

  it.each(['default', 'kube-system', 'kube-public'])('rejects the deletion of %s', async (name) => {
    expect(await failure(remove(name))).toEqual({
      code: 403,
      reason: 'Forbidden',
      message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    });
  });

  it('sets kubernetes.io/metadata.name on namespaces, and restores it after an edit', async () => {
    await plane.namespace('x');
    await plane.client.patch(coreResources.namespaces, '', 'x', {
      metadata: { labels: { 'kubernetes.io/metadata.name': null } },
    });
    expect(plane.get('namespaces', '', 'x')?.metadata.labels).toEqual({ 'kubernetes.io/metadata.name': 'x' });
  });
});
