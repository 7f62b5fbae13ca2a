import { describe, expect, it } from 'vitest';
import type { VimSession } from '../../vim25/index.js';
import { VmWatches } from './vm-watches.js';

type Tell = (state: { values: Record<string, unknown>; gone: boolean }) => void;

describe('VmWatches', () => {
  it('vsphere 57: tell of the end of a task although the pass that began it is over', () => {
    const listeners = new Map<string, Tell>();
    const updates = {
      watch: (ref: { value: string }, tell: Tell) => {
        listeners.set(ref.value, tell);
        return { dispose: () => void listeners.delete(ref.value) };
      },
    };
    const session = { updates } as unknown as VimSession;
    const told: string[] = [];
    const watches = new VmWatches();
    watches.follow({ namespace: 'n', name: 'm' }, session, { task: 'task-1' }, ({ name }) => told.push(name));
    // Nothing of the pass goes into a watch: neither its deadline nor its end can take it away.
    listeners.get('task-1')?.({ values: { 'info.state': 'running' }, gone: false });
    expect(told).toEqual([]);
    listeners.get('task-1')?.({ values: { 'info.state': 'error' }, gone: false });
    expect(told).toEqual(['m']);
    watches.forget({ namespace: 'n', name: 'm' });
    expect(listeners.size).toBe(0);
  });
});
