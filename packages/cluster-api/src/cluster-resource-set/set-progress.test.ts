import { VirtualClock } from '@slipway/base';
import { beforeEach, describe, expect, it } from 'vitest';
import { SetProgress } from './set-progress.js';

const set = { namespace: 'n', name: 's' };
const cluster = (name: string): { namespace: string; name: string } => ({ namespace: 'n', name });
const failed = [{ kind: 'apply-failed', message: 'no' }] as const;
const down = [{ kind: 'not-connected', message: 'down' }] as const;

let clock: VirtualClock;
let progress: SetProgress;

beforeEach(() => {
  clock = new VirtualClock();
  progress = new SetProgress(clock);
  progress.due(set, 'one');
  for (const name of ['a', 'b', 'c']) progress.note(set, name, []);
});

const due = (signature = 'one'): string[] | 'all' => {
  const names = progress.due(set, signature);
  return names === 'all' ? names : [...names].sort((left, right) => left.localeCompare(right));
};

describe('SetProgress', () => {
  it('returns each touched cluster once', () => {
    progress.touch(set, cluster('b'));
    expect(due()).toEqual(['b']);
    expect(due()).toEqual([]);
  });

  it('checks all clusters when the set or its resources changed, on request, and periodically', async () => {
    expect(due('two')).toBe('all');
    expect(due('two')).toEqual([]);
    progress.forget(set);
    expect(due('two')).toBe('all');
    await clock.advance(600_000);
    expect(due('two')).toBe('all');
  });

  it('returns failed clusters again, and unreachable ones after a minute', async () => {
    progress.note(set, 'a', failed);
    progress.note(set, 'b', down);
    expect(due()).toEqual(['a']);
    expect(progress.result(set)).toEqual({ count: 3, problems: [...failed, ...down], againMs: 60_000 });
    await clock.advance(60_000);
    expect(due()).toEqual(['a', 'b']);
    progress.note(set, 'a', []);
    expect(due()).toEqual([]);
  });

  it('drops clusters that are no longer selected', () => {
    progress.note(set, 'b', down);
    progress.note(set, 'b', undefined);
    expect(progress.result(set)).toMatchObject({ count: 2, problems: [] });
  });
});
