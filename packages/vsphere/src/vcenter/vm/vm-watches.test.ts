import { describe, expect, it } from 'vitest';
import type { ObjectRef, VimSession } from '../../vim25/index.js';
import { VmWatches } from './vm-watches.js';

type Notify = (state: { values: Record<string, unknown>; gone: boolean }) => void;

const key = { namespace: 'n', name: 'm' };
const machine: ObjectRef = { type: 'VirtualMachine', value: 'vm-1' };

/** Returns watches of a VM whose updates the test sends. */
function startWatches() {
  const listeners = new Map<string, Notify>();
  const updates = {
    watch: (ref: { value: string }, notify: Notify) => {
      listeners.set(ref.value, notify);
      return { dispose: () => void listeners.delete(ref.value) };
    },
  };
  const session = { updates } as unknown as VimSession;
  const enqueued: string[] = [];
  const watches = new VmWatches();
  return {
    watches,
    listeners,
    enqueued,
    follow: (what: { readonly machine?: ObjectRef; readonly task?: string }) =>
      watches.follow(key, session, what, ({ name }) => enqueued.push(name)),
    notify: (value: string, values: Record<string, unknown>) => listeners.get(value)?.({ values, gone: false }),
  };
}

describe('VmWatches', () => {
  it('report the end of a task after the reconcile that started it [vsphere 57]', () => {
    const { watches, listeners, enqueued, follow, notify } = startWatches();
    follow({ task: 'task-1' });
    // A watch continues after the deadline and the end of the reconcile that started it.
    notify('task-1', { 'info.state': 'running' });
    expect(enqueued).toEqual([]);
    notify('task-1', { 'info.state': 'error' });
    expect(enqueued).toEqual(['m']);
    watches.forget(key);
    expect(listeners.size).toBe(0);
  });

  it('report changes of a VM only while no task is running', () => {
    const { enqueued, follow, notify } = startWatches();
    follow({ machine, task: 'task-1' });
    notify('vm-1', { 'runtime.powerState': 'poweredOff' });
    expect(enqueued).toHaveLength(0);
    notify('task-1', { 'info.state': 'success' });
    notify('vm-1', { name: 'renamed' });
    expect(enqueued).toHaveLength(2);
    // The task has failed and is not cleared yet.
    follow({ machine, task: 'task-1' });
    notify('vm-1', { name: 'again' });
    expect(enqueued).toHaveLength(3);
    follow({ machine, task: 'task-2' });
    notify('vm-1', { name: 'once more' });
    expect(enqueued).toHaveLength(3);
    follow({ machine });
    notify('vm-1', { name: 'm' });
    expect(enqueued).toHaveLength(4);
  });
});
