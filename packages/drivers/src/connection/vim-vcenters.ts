import { isIPv6 } from 'node:net';
import type { Clock, Disposable } from '@slipway/base';
import type { SessionPool, VimSession } from '@slipway/vsphere';
import { checkConnection } from './check-connection.js';
import { readMachines } from './read-machines.js';
import type { ConnectionTarget, VCenters } from './vcenters.js';

/** Creates an implementation that uses vim25, with one session per account. */
export function createVimVCenters(sessions: SessionPool, clock: Clock): VCenters & Disposable {
  const sessionOf = (target: ConnectionTarget): VimSession => openSession(sessions, target);
  return {
    check: (target, signal) => checkConnection(sessionOf(target), target, clock, signal),
    machines: (target, signal) => readMachines(sessionOf(target), target, signal),
    dispose: () => sessions.dispose(),
  };
}

export function openSession(
  sessions: SessionPool,
  target: Pick<ConnectionTarget, 'server' | 'port' | 'username' | 'password' | 'insecure' | 'thumbprint' | 'caBundle'>,
): VimSession {
  const { server, port, username, password, insecure, thumbprint, caBundle } = target;
  const host = isIPv6(server) ? `[${server}]` : server;
  const trust = insecure ? {} : { verify: true, ...(thumbprint && { thumbprint }), ...(caBundle && { caBundle }) };
  return sessions.get({ server: `${host}:${port}`, username, password, ...trust });
}
