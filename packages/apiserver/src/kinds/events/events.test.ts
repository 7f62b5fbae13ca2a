import type { Frozen, KubeObject } from '@slipway/kube';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIn, rowOf, updateIn } from '../test-support.js';
import { coreEvents, newEvents } from './event.js';
import { eventFromStored, eventToStored } from './event-view.js';

const dated = {
  eventTime: '2024-01-02T03:04:05.000006Z',
  reportingController: 'example.com/controller',
  reportingInstance: 'pod-1',
  action: 'Scaling',
  reason: 'Scaled',
  type: 'Normal',
  regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
  note: 'up',
};

describe('events', () => {
  it('stores events of both API groups in one collection, in two forms', async () => {
    expect(newEvents.storageResource).toBe(coreEvents.storageResource);
    const { object, errors } = await createIn(newEvents, dated);
    expect(errors).toEqual([]);
    const [stored] = await newEvents.convert([object as Frozen<KubeObject>], newEvents.storageVersion);
    expect(stored).toMatchObject({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'x' },
      involvedObject: dated.regarding,
      message: 'up',
      reportingComponent: 'example.com/controller',
      reportingInstance: 'pod-1',
    });
    expect(await newEvents.convert([stored as Frozen<KubeObject>], 'v1')).toEqual([object]);
  });

  it('round-trips an event through the other form', () => {
    const fields = fc.record(
      {
        message: fc.string(),
        source: fc.object({ maxDepth: 1 }),
        count: fc.nat(),
        reportingComponent: fc.string(),
        reason: fc.string(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fields, (some) => {
        const event = { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, ...some } as Frozen<KubeObject>;
        expect(eventToStored(eventFromStored(event) as Frozen<KubeObject>)).toEqual(event);
      }),
    );
  });

  it.each([
    {
      name: 'requires the event and its involved object to be in the same namespace',
      definition: coreEvents,
      fields: { involvedObject: { namespace: 'other' } },
      errors: ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
    },
    {
      name: 'requires nothing else in core events',
      definition: coreEvents,
      fields: { involvedObject: { namespace: 'default' } },
      errors: [],
    },
    {
      name: 'requires time and type in events.k8s.io',
      definition: newEvents,
      fields: {},
      errors: ['eventTime: Required value', 'type: Invalid value: "": has invalid value: '],
    },
    {
      name: 'requires reportingInstance, action and reason in events.k8s.io',
      definition: newEvents,
      fields: { ...dated, reportingController: 'a', reportingInstance: '', action: '', reason: '' },
      errors: ['reportingInstance: Required value', 'action: Required value', 'reason: Required value'],
    },
    {
      name: 'rejects deprecated fields in events.k8s.io',
      definition: newEvents,
      fields: { ...dated, deprecatedCount: 2, deprecatedSource: { component: 'c' } },
      errors: ['count: Invalid value: "": needs to be unset', 'source: Invalid value: "": needs to be unset'],
    },
  ])('$name', async ({ definition, fields, errors }) => {
    expect((await createIn(definition, fields)).errors).toEqual(errors);
  });

  it('allows changes of series only in events.k8s.io', async () => {
    const { object } = await createIn(newEvents, dated);
    const series = { count: 2, lastObservedTime: '2024-01-02T03:04:06.000000Z' };
    expect((await updateIn(newEvents, object, { series })).errors).toEqual([]);
    expect((await updateIn(newEvents, object, { note: 'down' })).errors).toEqual([
      'message: Invalid value: "down": field is immutable',
    ]);
  });

  it('supports field selectors on the involved object in both groups', () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: {},
      involvedObject: { kind: 'Pod', name: 'p' },
      reason: 'R',
      source: { component: 'kubelet' },
    };
    const core = coreEvents.versions[0]?.selectableFields ?? {};
    expect([
      core['involvedObject.name']?.(event),
      core.reason?.(event),
      core.source?.(event),
      core.type?.(event),
    ]).toEqual(['p', 'R', 'kubelet', '']);
    const other = newEvents.versions[0]?.selectableFields ?? {};
    expect(other['regarding.name']?.(eventFromStored(event as Frozen<KubeObject>) as Frozen<KubeObject>)).toBe('p');
  });

  it('prints the same table in both groups', () => {
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'e' },
      involvedObject: { kind: 'Pod', name: 'p' },
      lastTimestamp: '2024-01-02T03:04:00Z',
      type: 'Normal',
      reason: 'R',
      message: 'm\n',
    };
    const row = rowOf(coreEvents, event);
    expect(row).toMatchObject({ 'Last Seen': '5s', Type: 'Normal', Reason: 'R', Object: 'pod/p', Message: 'm' });
    expect(rowOf(newEvents, eventFromStored(event as Frozen<KubeObject>))).toEqual(row);
  });
});
