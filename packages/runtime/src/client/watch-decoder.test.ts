import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubeObject } from '@slipway/kube';
import type { WatchEvent } from './client.js';
import { WatchDecoder } from './watch-decoder.js';

const lines = [
  '{"type":"ADDED","object":{"apiVersion":"v1","kind":"Thing","metadata":{"name":"größe","resourceVersion":"1"},"n":9007199254740993}}',
  '{"type":"BOOKMARK","object":{"kind":"Thing","metadata":{"resourceVersion":"2","annotations":{"k8s.io/initial-events-end":"true"}}}}',
  '{"type":"BOOKMARK","object":{"kind":"Thing","metadata":{"resourceVersion":"3"}}}',
  '{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","code":410,"reason":"Expired"}}',
];
const bytes = Buffer.from(`${lines.join('\n')}\n`);

function decodeAll(chunks: readonly Uint8Array[]): WatchEvent<KubeObject>[] {
  const decoder = new WatchDecoder();
  const events = chunks.flatMap((chunk) => decoder.decode(chunk));
  return [...events, ...decoder.finish()];
}

describe('WatchDecoder', () => {
  it('decodes events', () => {
    const events = decodeAll([bytes]);
    expect(events).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'größe' }, n: 9007199254740993n } },
      { type: 'BOOKMARK', resourceVersion: '2', initialEventsEnd: true },
      { type: 'BOOKMARK', resourceVersion: '3', initialEventsEnd: false },
      { type: 'ERROR', status: { code: 410 } },
    ]);
  });

  it('decodes the same events however the body is split', () => {
    const anyCuts = fc.array(fc.integer({ min: 0, max: bytes.length }), { maxLength: 8 });
    fc.assert(
      fc.property(anyCuts, (cuts) => {
        const places = [0, ...cuts.toSorted((left, right) => left - right), bytes.length];
        const chunks = places.slice(1).map((place, index) => bytes.subarray(places[index], place));
        expect(decodeAll(chunks)).toEqual(decodeAll([bytes]));
      }),
    );
  });

  it.each([
    { name: 'text that is not JSON', text: 'oops\n', message: 'unable to decode an event from the watch stream' },
    { name: 'an unknown type', text: '{"type":"MOVED","object":{}}\n', message: 'unexpected watch event type "MOVED"' },
    {
      name: 'an ERROR without a Status',
      text: '{"type":"ERROR","object":{}}\n',
      message: 'unexpected watch event type "ERROR"',
    },
    { name: 'a truncated line', text: '{"type":"ADD', message: 'unable to decode an event' },
  ])('rejects $name', ({ text, message }) => {
    expect(() => decodeAll([Buffer.from(text)])).toThrow(message);
  });

  it('rejects a line above the size limit', () => {
    const decoder = new WatchDecoder();
    const chunk = Buffer.alloc(4 * 1024 * 1024, 'x');
    expect(() => {
      for (let index = 0; index < 8; index += 1) decoder.decode(chunk);
    }).toThrow('a watch event is longer than');
  });
});
