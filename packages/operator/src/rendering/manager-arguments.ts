import type { Frozen } from '@slipway/kube';
import { parseDuration } from '@slipway/kube';
import type { ManagerSpec } from '../api/index.js';

/** The requested customization cannot be applied to the manifest. */
export class CustomizationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CustomizationError';
  }
}

/** Replaces the argument of the flag with `--flag=value`, or appends it. */
export function withArgument(args: readonly string[], flag: string, value: string): string[] {
  const prefix = `${flag}=`;
  const desired = `${prefix}${value}`;
  if (!args.some((each) => each.startsWith(prefix))) return [...args, desired];
  return args.map((each) => (each.startsWith(prefix) ? desired : each));
}

/** Applies spec.manager to the arguments. The order is deterministic, because rendered components are compared. */
export function withManagerArguments(args: readonly string[], manager: Frozen<ManagerSpec>): string[] {
  let changed = [...args];
  for (const [flag, value] of flagsOf(manager)) changed = withArgument(changed, flag, value);
  changed = withFeatureGates(changed, manager.featureGates);
  for (const [flag, value] of sorted(manager.additionalArgs)) {
    if (changed.some((each) => each.startsWith(`${flag}=`)))
      throw new CustomizationError(
        `spec.manager.additionalArgs: duplicate argument ${flag}; use spec.deployment.containers[].args to replace it`,
      );
    changed.push(`${flag}=${value}`);
  }
  return changed;
}

type Flag = readonly [flag: string, value: string];

function flagsOf(manager: Frozen<ManagerSpec>): Flag[] {
  const { controller = {}, health = {}, metrics = {}, webhook = {} } = manager;
  const given: (readonly [string, string | number | undefined])[] = [
    ...sorted(controller.groupKindConcurrency).map(
      ([kind, value]) => [`--${kind.toLowerCase()}-concurrency`, value] as const,
    ),
    ['--max-concurrent-reconciles', unlessZero(manager.maxConcurrentReconciles)],
    ['--namespace', manager.cacheNamespace],
    ['--health-addr', health.healthProbeBindAddress],
    ['--metrics-bind-addr', metrics.bindAddress],
    ['--diagnostics-address', metrics.diagnosticsAddress],
    // The flag is passed only when enabled, because not all managers support it.
    ['--insecure-diagnostics', metrics.insecureDiagnostics === true ? 'true' : undefined],
    ['--webhook-host', webhook.host],
    ['--webhook-cert-dir', webhook.certDir],
    ['--webhook-port', unlessZero(webhook.port)],
    ['--profiler-address', manager.profilerAddress],
    ...electionFlags(manager.leaderElection),
    ['--sync-period', seconds('spec.manager.syncPeriod', manager.syncPeriod)],
    // 1 is the default of managers and of the API, so it is not passed.
    ['--v', manager.verbosity === 1 ? undefined : manager.verbosity],
  ];
  return given.flatMap(([flag, value]) =>
    value === undefined || value === '' ? [] : [[flag, String(value)] as const],
  );
}

function electionFlags(election: Frozen<ManagerSpec>['leaderElection']): (readonly [string, string | undefined])[] {
  if (election === undefined) return [];
  const { leaderElect, resourceNamespace, resourceName } = election;
  if (!leaderElect) return [['--leader-elect', 'false']];
  const field = (name: string): string => `spec.manager.leaderElection.${name}`;
  const id = resourceNamespace === '' || resourceName === '' ? undefined : `${resourceNamespace}/${resourceName}`;
  return [
    ['--leader-elect', 'true'],
    ['--leader-election-id', id],
    ['--leader-elect-lease-duration', seconds(field('leaseDuration'), election.leaseDuration)],
    ['--leader-elect-renew-deadline', seconds(field('renewDeadline'), election.renewDeadline)],
    ['--leader-elect-retry-period', seconds(field('retryPeriod'), election.retryPeriod)],
  ];
}

/** Converts a duration to whole seconds. Undefined for zero or an absent value. */
function seconds(field: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    const rounded = Math.round(Number(parseDuration(text)) / 1e9);
    return rounded > 0 ? `${rounded}s` : undefined;
  } catch {
    throw new CustomizationError(`${field}: invalid duration "${text}": use a value such as 90s or 5m`);
  }
}

function unlessZero(value: number | undefined): number | undefined {
  return value === 0 ? undefined : value;
}

const gatesFlag = '--feature-gates';

/** Merges feature gates into those of the manifest. Gates of the user take precedence. */
function withFeatureGates(args: readonly string[], gates: Readonly<Record<string, boolean>> | undefined): string[] {
  if (gates === undefined || Object.keys(gates).length === 0) return [...args];
  const present = args.find((each) => each.startsWith(`${gatesFlag}=`))?.slice(gatesFlag.length + 1) ?? '';
  const chosen = new Map(
    present
      .split(',')
      .filter((each) => each !== '')
      .map((each) => each.split('=') as [string, string]),
  );
  for (const [gate, value] of Object.entries(gates)) chosen.set(gate, String(value));
  const text = [...chosen]
    .sort(byName)
    .map(([gate, value]) => `${gate}=${value}`)
    .join(',');
  return withArgument(args, gatesFlag, text);
}

function sorted<T>(map: Readonly<Record<string, T>> | undefined): [string, T][] {
  return Object.entries(map ?? {}).sort(byName);
}

export function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : Number(left > right);
}
