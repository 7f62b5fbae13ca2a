import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json/index.js';
import { lastAppliedAnnotation } from './last-applied.js';
import { widget, WidgetServer } from './testing/widget.js';

function annotated(spec: JsonObject, lastApplied: unknown): JsonObject {
  const text = typeof lastApplied === 'string' ? lastApplied : JSON.stringify(lastApplied);
  return widget(spec, {}, { annotations: { [lastAppliedAnnotation]: text } });
}

function annotationOf(object: JsonObject | undefined): unknown {
  const metadata = object?.['metadata'] as { annotations?: Record<string, string> } | undefined;
  return metadata?.annotations?.[lastAppliedAnnotation];
}

describe('server-side apply after client-side apply', () => {
  async function clientSide(lastApplied: unknown = widget({ color: 'red' })): Promise<WidgetServer> {
    const server = new WidgetServer();
    await server.update('kubectl-client-side-apply', annotated({ color: 'red', size: 1 }, lastApplied));
    return server;
  }

  it('lets kubectl take over the fields that it applied, without a conflict', async () => {
    const server = await clientSide();
    await server.apply('kubectl', widget({ color: 'blue' }));
    expect(server.live?.['spec']).toEqual({ color: 'blue', size: 1 });
    expect(server.claims).toEqual({
      'kubectl Apply': { 'f:spec': { 'f:color': {} } },
      'kubectl-client-side-apply Update': {
        'f:metadata': { 'f:annotations': { '.': {}, [`f:${lastAppliedAnnotation}`]: {} } },
        'f:spec': { '.': {}, 'f:size': {} },
      },
    });
  });

  it('reports conflicts only for other fields', async () => {
    const server = await clientSide();
    await expect(server.apply('kubectl', widget({ color: 'blue', size: 2 }))).rejects.toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using example.com/v1: .spec.size',
    );
  });

  it.each([
    ['is not JSON', '{'],
    ['is not an object', '[]'],
    ['is of another version', { ...widget({ color: 'red' }), apiVersion: 'example.com/v0' }],
    ['does not match the schema', widget({ color: 'red', foo: 1 })],
    ['differs from the object', widget({ color: 'green' })],
  ])('reports a conflict if the annotation %s', async (_name, lastApplied) => {
    const server = await clientSide(lastApplied);
    await expect(server.apply('kubectl', widget({ color: 'blue' }))).rejects.toThrow(
      'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using example.com/v1: .spec.color',
    );
  });

  it('reports a conflict for another manager', async () => {
    const server = await clientSide();
    await expect(server.apply('flux', widget({ color: 'blue' }))).rejects.toThrow('Apply failed with 1 conflict');
  });

  it('updates the annotation for kubectl, sorted and escaped like Go', async () => {
    const server = await clientSide();
    const config = {
      kind: 'Widget',
      apiVersion: 'example.com/v1',
      metadata: { namespace: 'd', name: 'w' },
      spec: { color: '<&>' },
    };
    await server.apply('kubectl', config);
    expect(annotationOf(server.live)).toBe(
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","namespace":"d"},"spec":{"color":"\\u003c\\u0026\\u003e"}}\n',
    );
  });

  it('does not include the annotation in itself', async () => {
    const server = await clientSide();
    await server.apply('kubectl', annotated({ color: 'red' }, 'x'), { force: true });
    expect(annotationOf(server.live)).toBe(
      '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"annotations":{},"name":"w","namespace":"d"},"spec":{"color":"red"}}\n',
    );
  });

  it('drops an annotation that would exceed the limit', async () => {
    const server = await clientSide();
    await server.apply('kubectl', widget({ color: 'x'.repeat(300_000) }));
    expect(annotationOf(server.live)).toBeUndefined();
  });

  it('does not change the annotation for other managers', async () => {
    const server = await clientSide();
    const before = annotationOf(server.live);
    await server.apply('flux', widget({ color: 'blue' }), { force: true });
    expect(annotationOf(server.live)).toBe(before);
  });
});
