import { createHash } from 'node:crypto';
import { type Frozen, parseDuration } from '@slipway/kube';
import type { DevMachine } from '../api/index.js';

export type StartupPhase = 'vm' | 'node' | 'etcd' | 'apiServer';

type InMemory = NonNullable<NonNullable<DevMachine['spec']>['backend']['inMemory']>;

/**
 * Returns the duration of a phase on this machine. The jitter is derived from the uid of the machine, so that it is the same in
 * every reconcile.
 */
export function startupMs(backend: Frozen<InMemory>, phase: StartupPhase, uid: string): number {
  const provisioning = backend[phase]?.provisioning;
  if (provisioning === undefined) return 0;
  const durationMs = Number(parseDuration(provisioning.startupDuration)) / 1e6;
  const jitter = Number(provisioning.startupJitter ?? '') || 0;
  return durationMs * (1 + jitter * chanceOf(`${uid}/${phase}`));
}

function chanceOf(seed: string): number {
  return createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32;
}

/** Returns an address in 10.0.0.0/8, derived from the uid, so that the machine keeps it. */
export function addressOf(uid: string): string {
  const [a = 0, b = 0, c = 0] = createHash('sha256').update(`address/${uid}`).digest();
  return `10.${a}.${b}.${1 + (c % 254)}`;
}
