import { silentLogger, systemClock } from '@slipway/base';
import { describe, expect, it } from 'vitest';
import { SessionPool } from './session-pool.js';

describe('SessionPool', () => {
  const user = { server: 'vc.example.com', username: 'admin', password: 'p' };

  it('opens another session immediately for a corrected thumbprint, CA or password [vsphere 59]', async () => {
    const pool = new SessionPool({ clock: systemClock, logger: silentLogger });
    const first = pool.get({ ...user, thumbprint: 'AA' });
    expect(pool.get({ ...user, thumbprint: 'AA' })).toBe(first);
    expect(pool.get({ ...user, thumbprint: 'BB' })).not.toBe(first);
    expect(pool.get({ ...user, thumbprint: 'AA', caBundle: 'x' })).not.toBe(first);
    expect(pool.get({ ...user, thumbprint: 'AA', password: 'q' })).not.toBe(first);
    // Notations of the same server share a session.
    expect(pool.get({ ...user, server: 'https://vc.example.com/sdk', thumbprint: 'AA' })).toBe(first);
    expect(pool.size).toBe(4);
    await pool.dispose();
  });
});
