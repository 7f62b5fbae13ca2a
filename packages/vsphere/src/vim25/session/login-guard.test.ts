import { VirtualClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { LoginGuard } from './login-guard.js';

const refused = new Error('wrong password');
const isRefusal = (error: unknown): boolean => error === refused;

describe('LoginGuard', () => {
  it('shares one login among concurrent callers', async () => {
    const guard = new LoginGuard(new VirtualClock());
    let logins = 0;
    const login = async (): Promise<void> => {
      logins += 1;
      await Promise.resolve();
    };
    await Promise.all([guard.run(login, isRefusal), guard.run(login, isRefusal), guard.run(login, isRefusal)]);
    expect(logins).toBe(1);
  });

  it('backs off after rejected logins', async () => {
    const clock = new VirtualClock();
    const guard = new LoginGuard(clock);
    let tries = 0;
    const login = (): Promise<void> => {
      tries += 1;
      return Promise.reject(refused);
    };
    const attempt = (): Promise<unknown> => guard.run(login, isRefusal).catch((error: unknown) => error);
    for (const [waitMs, expected] of [
      [0, 1],
      [9_999, 1],
      [1, 2],
      [10_001, 2],
      [10_000, 3],
    ] as const) {
      await clock.advance(waitMs);
      expect(await attempt()).toBe(refused);
      expect(tries).toBe(expected);
    }
  });

  it('retries immediately after other failures', async () => {
    const guard = new LoginGuard(new VirtualClock());
    await expect(guard.run(() => Promise.reject(new Error('unreachable')), isRefusal)).rejects.toThrow('unreachable');
    await expect(guard.run(() => Promise.resolve(), isRefusal)).resolves.toBeUndefined();
  });
});
