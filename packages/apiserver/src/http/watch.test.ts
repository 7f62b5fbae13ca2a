import { describe, expect, it } from 'vitest';
import type { BodySink, BodyStream } from '@slipway/base';
import type { WatchEvent } from '../contract/index.js';
import { answerOf, createBench, type FakeWatch, type TestBench, testRequest } from './test-support.js';

const object = (name: string) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name, namespace: 'a', resourceVersion: '5', creationTimestamp: '2025-12-31T23:59:00Z' },
});
const added = (name: string): WatchEvent => ({ type: 'ADDED', answer: answerOf(object(name)) });
const bookmark = (initialEventsEnd: boolean): WatchEvent => ({
  type: 'BOOKMARK',
  resourceVersion: '9',
  initialEventsEnd,
});

/** Collects written data; `blocked` simulates a slow client. */
class TestSink implements BodySink {
  readonly writes: string[] = [];
  closed: (() => void) | undefined;
  blocked: Promise<boolean> | undefined;

  write(chunk: Buffer): boolean | Promise<boolean> {
    this.writes.push(chunk.toString('utf8'));
    return this.blocked ?? true;
  }

  onClose(callback: () => void): void {
    this.closed = callback;
  }

  lines(): unknown[] {
    return this.writes
      .join('')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

async function open(query = '', headers: Record<string, string> = {}, path = '/api/v1/namespaces/a/configmaps') {
  const bench: TestBench = createBench();
  const response = await bench.handler.handle(testRequest('GET', `${path}?watch=true${query}`, { headers }));
  const sink = new TestSink();
  let ended = false;
  const running = (response.body as BodyStream)(sink).then(() => {
    ended = true;
  });
  const watch = bench.registry.watches[0] as FakeWatch;
  return { bench, response, sink, watch, running, isEnded: () => ended };
}

describe('watch responses', () => {
  it('flushes headers before any event', async () => {
    const { response, bench } = await open('&resourceVersion=4&allowWatchBookmarks=true&timeoutSeconds=10');
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json']);
    expect(bench.registry.calls[0]?.arguments[2]).toMatchObject({
      resourceVersion: '4',
      allowBookmarks: true,
      timeoutMs: 10_000,
    });
  });

  it('sends one document per event, several in one write', async () => {
    const { sink, watch } = await open();
    watch.push([added('x'), added('y')]);
    await settle();
    expect(sink.writes).toHaveLength(1);
    expect(sink.lines()).toEqual([
      { type: 'ADDED', object: object('x') },
      { type: 'ADDED', object: object('y') },
    ]);
  });

  it('sends bookmarks of the watched kind, and the initial-events-end bookmark only with sendInitialEvents=true', async () => {
    const { sink, watch } = await open();
    watch.push([bookmark(false), bookmark(true)]);
    await settle();
    expect(sink.lines()).toEqual([
      {
        type: 'BOOKMARK',
        object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: '9' } },
      },
      {
        type: 'BOOKMARK',
        object: {
          kind: 'ConfigMap',
          apiVersion: 'v1',
          metadata: {
            resourceVersion: '9',
            annotations: { 'k8s.io/initial-events-end': 'true' },
          },
        },
      },
    ]);
  });

  it('sends an ERROR event with a Status, then ends cleanly', async () => {
    const { sink, watch, running } = await open('', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    watch.push([{ type: 'ERROR', status: { kind: 'Status', code: 410, reason: 'Expired' } }]);
    watch.push(undefined);
    await running;
    expect(sink.lines()).toEqual([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
    expect(watch.disposed).toBe(true);
  });

  it('sends columnDefinitions in the first event only, and bookmarks as a Table', async () => {
    const { sink, watch } = await open('', { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    watch.push([added('x'), added('y'), bookmark(true)]);
    await settle();
    expect(sink.lines()).toMatchObject([
      {
        object: {
          kind: 'Table',
          columnDefinitions: [{ name: 'Name' }, { name: 'Age' }],
          rows: [{ cells: ['x', '60s'] }],
        },
      },
      { object: { columnDefinitions: null, metadata: { resourceVersion: '5' } } },
      {
        type: 'BOOKMARK',
        object: {
          kind: 'Table',
          metadata: { resourceVersion: '9' },
          rows: [
            {
              cells: [null, null],
              object: {
                kind: 'PartialObjectMetadata',
                metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } },
              },
            },
          ],
        },
      },
    ]);
  });

  it('sends bookmarks as PartialObjectMetadata if requested', async () => {
    const { sink, watch } = await open('', { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' });
    watch.push([added('x'), bookmark(false)]);
    await settle();
    expect(sink.lines()).toMatchObject([
      { object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'x' } } },
      { object: { kind: 'PartialObjectMetadata', metadata: { resourceVersion: '9' } } },
    ]);
  });

  it('ends the stream cleanly after `timeoutSeconds`', async () => {
    const { bench, watch, running, isEnded } = await open('&timeoutSeconds=5');
    await bench.clock.advance(4_999);
    expect(isEnded()).toBe(false);
    await bench.clock.advance(1);
    await running;
    expect(watch.disposed).toBe(true);
  });

  it('ends a watch without timeoutSeconds, or with 0, cleanly after 30 to 60 minutes', async () => {
    const { bench, isEnded } = await open('&timeoutSeconds=0');
    await bench.clock.advance(30 * 60_000 - 1);
    expect(isEnded()).toBe(false);
    await bench.clock.advance(30 * 60_000 + 1);
    expect(isEnded()).toBe(true);
  });

  it('pauses reading from the stream for a slow client', async () => {
    const { sink, watch } = await open();
    let release: (open: boolean) => void = () => undefined;
    sink.blocked = new Promise((resolve) => {
      release = resolve;
    });
    for (let index = 0; index < 10; index += 1) watch.push([added(`x${index}`)]);
    await settle();
    expect([sink.writes.length, watch.reads]).toEqual([1, 1]);
    sink.blocked = undefined;
    release(true);
    await settle();
    expect(sink.writes).toHaveLength(10);
  });

  it('sends a large batch in several writes', async () => {
    const { sink, watch } = await open();
    const large = { ...object('x'), data: { a: 'x'.repeat(100_000) } };
    watch.push(Array.from({ length: 10 }, () => ({ type: 'MODIFIED' as const, answer: answerOf({ ...large }) })));
    await settle();
    expect(sink.writes.length).toBe(4);
  });

  it('ends when the client disconnects and when the server stops', async () => {
    const left = await open();
    left.sink.closed?.();
    await left.running;
    expect(left.watch.disposed).toBe(true);
    const stopped = await open();
    stopped.bench.handler.shutdown();
    await stopped.running;
    expect(stopped.watch.disposed).toBe(true);
  });

  it('ends a failed stream with an ERROR event', async () => {
    const { sink, watch, running } = await open();
    watch.fail(new Error('conversion webhook failed'));
    await running;
    expect(sink.lines()).toMatchObject([
      {
        type: 'ERROR',
        object: { kind: 'Status', code: 500, message: 'Internal error occurred: conversion webhook failed' },
      },
    ]);
    expect(watch.disposed).toBe(true);
  });

  it('supports the legacy `/watch/` prefix', async () => {
    const { bench } = await open('', {}, '/api/v1/watch/namespaces/a/configmaps/x');
    expect(bench.registry.calls[0]).toMatchObject({
      verb: 'watch',
      arguments: [{}, 'a', { fieldSelector: 'metadata.name=x' }],
    });
  });

  it('rejects watches in YAML', async () => {
    const bench = createBench();
    const response = await bench.handler.handle(
      testRequest('GET', '/api/v1/configmaps?watch=1', { headers: { accept: 'application/yaml' } }),
    );
    expect(response.status).toBe(406);
  });
});
