import { describe, expect, it } from 'vitest';
import { addressOf, startupMs } from './startup.js';

const provisioning = (startupDuration: string, startupJitter?: string): object => ({
  vm: { provisioning: { startupDuration, ...(startupJitter === undefined ? {} : { startupJitter }) } },
});

describe('the startup time of a machine', () => {
  it.each([
    { name: 'is zero by default', backend: {}, then: 0 },
    { name: 'is the configured duration', backend: provisioning('1m30s'), then: 90_000 },
    { name: 'has no jitter when the jitter is empty', backend: provisioning('10s', ''), then: 10_000 },
  ])('$name', ({ backend, then }) => {
    expect(startupMs(backend, 'vm', 'some uid')).toBe(then);
  });

  it('differs between machines within the jitter, but not between reconciles', () => {
    const times = Array.from({ length: 100 }, (_, index) =>
      startupMs(provisioning('10s', '0.2'), 'vm', `uid ${index}`),
    );
    expect(Math.min(...times)).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...times)).toBeLessThanOrEqual(12_000);
    expect(new Set(times).size).toBeGreaterThan(90);
    expect(startupMs(provisioning('10s', '0.2'), 'vm', 'uid 1')).toBe(times[1]);
  });

  it('derives an address that does not change', () => {
    expect(addressOf('some uid')).toMatch(/^10(\.\d{1,3}){3}$/);
    expect(addressOf('some uid')).toBe(addressOf('some uid'));
  });
});
