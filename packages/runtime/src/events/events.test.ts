import { silentLogger, VirtualClock } from '@slipway/base';
import { deepFreeze, internalError, type KubeObject } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { FakeApi } from '../testing/fake-api.js';
import { redact } from '../change/index.js';
import { ApiEventRecorder, type EventApi } from './index.js';
import { eventResources } from './event-objects.js';

const machine = deepFreeze<KubeObject>({
  apiVersion: 'x.io/v1',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'ns', uid: 'u1', resourceVersion: '7' },
});

function open(api: EventApi = 'core'): { clock: VirtualClock; server: FakeApi; recorder: ApiEventRecorder } {
  const clock = new VirtualClock();
  const server = new FakeApi(clock);
  const reporter = { controller: 'machine-controller', instance: 'i' };
  const recorder = new ApiEventRecorder({ client: server.client(), clock, logger: silentLogger, api, ...reporter });
  return { clock, server, recorder };
}

describe('events', () => {
  it('creates an event once and counts repetitions', async () => {
    const { clock, server, recorder } = open();
    for (let time = 0; time < 3; time += 1) {
      recorder.record(machine, { type: 'Warning', reason: 'CloneFailed', message: 'disk is full' });
      await clock.advance(1_000);
    }
    expect(server.objectsOf(eventResources.core)).toEqual([
      expect.objectContaining({
        involvedObject: {
          apiVersion: 'x.io/v1',
          kind: 'Machine',
          namespace: 'ns',
          name: 'm',
          uid: 'u1',
          resourceVersion: '7',
        },
        reason: 'CloneFailed',
        message: 'disk is full',
        type: 'Warning',
        count: 3,
        firstTimestamp: '2026-01-01T00:00:00Z',
        lastTimestamp: '2026-01-01T00:00:02Z',
        source: { component: 'machine-controller' },
      }),
    ]);
  });

  it('writes a series in events.k8s.io', async () => {
    const { clock, server, recorder } = open('events');
    recorder.record(machine, { type: 'Normal', reason: 'Created', message: 'x' });
    await clock.advance(1_000);
    recorder.record(machine, { type: 'Normal', reason: 'Created', message: 'x' });
    await clock.advance(0);
    expect(server.objectsOf(eventResources.events)).toEqual([
      expect.objectContaining({
        eventTime: '2026-01-01T00:00:00.000000Z',
        note: 'x',
        action: 'Created',
        regarding: expect.objectContaining({ name: 'm' }) as unknown,
        series: { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
      }),
    ]);
  });

  it('aggregates events that differ only in their message, and limits those of one object', async () => {
    const { clock, server, recorder } = open();
    for (let index = 0; index < 60; index += 1)
      recorder.record(machine, { type: 'Normal', reason: 'R', message: `number ${index}` });
    await clock.advance(0);
    const messages = server.objectsOf(eventResources.core).map((event) => event['message']);
    expect(messages).toHaveLength(10);
    expect(messages.at(-1)).toBe('(combined from similar events): number 24');
    expect(recorder.dropped).toBe(35);
  });

  it('creates expired events again, and retries after a transient failure', async () => {
    const { clock, server, recorder } = open();
    recorder.record(machine, { type: 'Normal', reason: 'R', message: 'x' });
    await clock.advance(0);
    const name = server.objectsOf(eventResources.core)[0]?.metadata.name ?? '';
    await server.client().delete(eventResources.core, { namespace: 'ns', name });
    let failures = 2;
    server.onWrite = () => {
      if (failures-- > 0) throw internalError('x');
    };
    recorder.record(machine, { type: 'Normal', reason: 'R', message: 'x' });
    await clock.advance(10_000);
    expect(server.objectsOf(eventResources.core)).toHaveLength(1);
  });

  it.each([
    ['login failed: password=hunter2, user bob', 'login failed: password=[hidden], user bob'],
    ['got 401 for Bearer abcdefgh.ijkl', 'got 401 for Bearer [hidden]'],
    ['join with abcdef.0123456789abcdef now', 'join with [hidden] now'],
    ['GET https://bob:hunter2@host/x', 'GET https://bob:[hidden]@host/x'],
    ['key -----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- end', 'key [hidden] end'],
    ['{"token":"abc"}', '{"token":"[hidden]"}'],
    ['machine m1 waits for bootstrap data', 'machine m1 waits for bootstrap data'],
  ])('redacts secrets: %s', (text, then) => {
    expect(redact(text)).toBe(then);
  });
});
