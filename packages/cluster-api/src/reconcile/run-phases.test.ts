import { done, FencedError, wait } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { runPhases } from './run-phases.js';

describe('runPhases', () => {
  it('runs the phases after a failed one, and reports every error [14.7]', async () => {
    const ran: string[] = [];
    const outcome = await runPhases([
      () => {
        ran.push('first');
        throw new Error('no template');
      },
      async () => {
        ran.push('second');
        throw new Error('no network');
      },
      () => {
        ran.push('third');
        return done();
      },
    ]);
    expect(ran).toEqual(['first', 'second', 'third']);
    expect(outcome).toMatchObject({ type: 'retry', error: { message: 'no template; no network' } });
  });

  it('returns the shortest wait', async () => {
    const slow = wait({ ms: 30_000, reason: 'Slow', message: 'slow' });
    const quick = wait({ ms: 5_000, reason: 'Quick', message: 'quick' });
    expect(await runPhases([() => slow, () => quick, done])).toEqual(quick);
  });

  it('stops immediately when this process is fenced', async () => {
    const later = (): never => {
      throw new Error('ran although the lease was lost');
    };
    const lost = (): never => {
      throw new FencedError('lost');
    };
    await expect(runPhases([lost, later])).rejects.toThrow(FencedError);
  });
});
