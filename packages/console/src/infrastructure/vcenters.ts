import { fieldAt, textAt } from '@slipway/cluster-api';
import type { Observed } from '@slipway/insight';
import { toneOf } from '../cluster/tones.js';
import type { VCenterView } from '../model/infrastructure.js';

/** An open vCenter session of the management cluster, without secrets. */
export interface VCenterSession {
  readonly server: string;
  readonly username: string;
  readonly isLoggedIn: boolean;
  readonly idleMs: number;
}

export interface VCenterParts {
  readonly clusters: readonly Observed[];
  readonly machines: readonly Observed[];
  /** The VDOConfigs, which contain the vSphere version. */
  readonly configs: readonly Observed[];
  /** The open sessions. Undefined if the management plane runs in another process. */
  readonly sessions: readonly VCenterSession[] | undefined;
  readonly nowMs: number;
}

type Draft = { -readonly [Key in keyof VCenterView]: VCenterView[Key] };

const minuteMs = 60_000;

/**
 * Returns the vCenters of the clusters, with their running tasks and sessions. A session is listed only if a cluster uses its
 * vCenter: a user who may not list the clusters of a vCenter does not see its sessions.
 */
export function vcentersOf(parts: VCenterParts): Record<string, VCenterView> {
  const found = new Map<string, Draft>();
  for (const cluster of parts.clusters) {
    const server = textAt(cluster, 'spec', 'server') ?? '';
    if (server === '') continue;
    const center = found.get(server) ?? emptyView(server, parts);
    found.set(server, center);
    center.clusters += 1;
    if (toneOf(cluster) === 'bad') center.unhealthy += 1;
  }
  for (const machine of parts.machines) {
    const center = found.get(textAt(machine, 'spec', 'server') ?? '');
    if (center === undefined) continue;
    center.machines += 1;
    if (toneOf(machine) === 'bad') center.unhealthy += 1;
    const task = textAt(machine, 'status', 'taskRef') ?? '';
    if (task !== '') center.tasks = [...center.tasks, { machine: machine.metadata.name ?? '', task }];
  }
  return Object.fromEntries(found);
}

function emptyView(server: string, { configs, sessions, nowMs }: VCenterParts): Draft {
  const own = sessions
    ?.filter((session) => session.server === server)
    .map(({ username, isLoggedIn, idleMs }) => ({
      username,
      isLoggedIn,
      // Round to the minute. Otherwise the view would change at every poll.
      usedAt: Math.floor((nowMs - idleMs) / minuteMs) * minuteMs,
    }));
  const version = versionOf(server, configs);
  return { server, version, clusters: 0, machines: 0, tasks: [], unhealthy: 0, ...(own && { sessions: own }) };
}

function versionOf(server: string, configs: readonly Observed[]): string {
  for (const config of configs) {
    const connections = fieldAt(config, 'status', 'connections');
    if (!Array.isArray(connections)) continue;
    const known = (connections as readonly { server?: unknown; version?: unknown }[]).find(
      (one) => one.server === server,
    );
    if (typeof known?.version === 'string') return known.version;
  }
  return '';
}
