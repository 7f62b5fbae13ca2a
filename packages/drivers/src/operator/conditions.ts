import type { NewCondition } from '@slipway/runtime';
import { DriverError, remedyOf } from '../api/index.js';
import { registrationOf, registrationText } from '../health/index.js';
import { hasFailedUpgrade } from './deploy-driver.js';
import type { DriverState } from './driver-state.js';
import type { Findings } from './report.js';

/** The conditions that Ready summarizes. */
const partsOfReady = [
  'MatrixAvailable',
  'VersionsResolved',
  'ConnectionsVerified',
  'CPIAvailable',
  'CPINodesInitialized',
  'CSIAvailable',
  'CSINodesRegistered',
] as const;

const good = (type: string, reason: string, message = ''): NewCondition => ({ type, status: 'True', reason, message });
const bad = (type: string, reason: string, message: string): NewCondition => {
  const remedy = remedyOf(reason);
  return { type, status: 'False', reason, message: remedy === undefined ? message : `${message}; ${remedy}` };
};

/** Returns all conditions of the VDOConfig. */
export function conditionsOf(findings: Findings): NewCondition[] {
  const { cpi, csi, nowMs } = findings;
  const conditions = [
    matrixCondition(findings),
    versionsCondition(findings),
    connectionsCondition(findings),
    preconditionsCondition('CPIPreconditionsMet', cpi),
    availableCondition('CPIAvailable', cpi),
    nodesCondition(findings),
    preconditionsCondition('CSIPreconditionsMet', csi),
    availableCondition('CSIAvailable', csi),
    registeredCondition(findings),
    upgradeCondition(findings),
    good('Paused', 'NotPaused'),
  ].map((condition) => (condition.type === 'Paused' ? { ...condition, status: 'False' as const } : condition));
  const isProgressing = [cpi, csi].some(({ health }) => health.health === 'Progressing');
  const failed = [cpi, csi].filter((state) => hasFailedUpgrade(state, nowMs));
  return [
    ...conditions,
    isProgressing && failed.length === 0
      ? good(
          'Progressing',
          'RollingOut',
          [cpi, csi]
            .filter(({ health }) => health.health === 'Progressing')
            .map(({ health }) => health.message)
            .join('; '),
        )
      : { type: 'Progressing', status: 'False', reason: failed.length > 0 ? 'UpgradeFailed' : 'Settled', message: '' },
    degradedCondition(findings, failed),
    readyCondition(conditions),
  ];
}

function matrixCondition({ observed: { supplied } }: Findings): NewCondition {
  const type = 'MatrixAvailable';
  if (supplied instanceof DriverError) return bad(type, supplied.reason, supplied.message);
  const { matrix, from, stale } = supplied;
  const text = `revision ${matrix.revision} from ${from}`;
  return stale === undefined ? good(type, 'Available', text) : good(type, 'Stale', `${text}; it is outdated: ${stale}`);
}

function versionsCondition({ cpi, csi }: Findings): NewCondition {
  const type = 'VersionsResolved';
  const problems = [cpi, csi].flatMap(({ resolution }) =>
    resolution.problem === undefined ? [] : [resolution.problem],
  );
  const [first] = problems;
  if (first !== undefined) return bad(type, first.reason, problems.map(({ message }) => message).join('; '));
  const words = [cpi, csi].flatMap(({ driver, resolution }) =>
    resolution.entry === undefined ? [] : [`${driver.toUpperCase()} ${resolution.entry.version}`],
  );
  return good(type, 'Resolved', words.join(', '));
}

function connectionsCondition({ observed: { connections } }: Findings): NewCondition {
  const type = 'ConnectionsVerified';
  const problem = connections.cpi.problem ?? connections.csi.problem;
  return problem === undefined ? good(type, 'Verified') : bad(type, problem.reason, problem.message);
}

function preconditionsCondition(type: string, { isManaged, preconditions }: DriverState): NewCondition {
  if (!isManaged) return good(type, 'NotConfigured');
  const { blocking, warnings } = preconditions;
  if (blocking !== undefined) return bad(type, blocking.reason, blocking.message);
  const [first] = warnings;
  if (first === undefined) return good(type, 'Met');
  const reason = /^([A-Z]\w+) on /.exec(first)?.[1];
  const isBlocking = reason === 'DiskUUIDDisabled' || reason === 'ToolsNotRunning';
  const message = warnings.join('; ');
  return isBlocking ? { type, status: 'False', reason, message } : good(type, reason ?? 'MetWithWarnings', message);
}

function availableCondition(type: string, state: DriverState): NewCondition {
  const { isManaged, health, problem, resolution } = state;
  if (!isManaged) return good(type, 'NotConfigured');
  const isServing = health.health === 'Healthy' || health.health === 'Degraded';
  if (isServing)
    return good(type, health.reason, problem === undefined ? health.message : `${health.message}; ${problem.message}`);
  const cause = problem ?? resolution.problem;
  if (cause !== undefined && health.workloads.length === 0) return bad(type, cause.reason, cause.message);
  return bad(type, health.reason, health.message);
}

function nodesCondition({ cpi, nodes }: Findings): NewCondition {
  const type = 'CPINodesInitialized';
  if (!cpi.isManaged) return good(type, 'NotConfigured');
  const waiting = nodes.filter(({ state }) => state !== 'ready');
  const [first] = waiting.filter(({ state }) => state !== 'pending');
  if (waiting.length === 0) return good(type, 'Initialized', `${nodes.length} of ${nodes.length} nodes`);
  const list = waiting.slice(0, 5).map(({ name, state }) => `${name} ${state}`);
  const reason: string = first?.reason ?? 'NodesNotInitialized';
  return bad(type, reason, `${nodes.length - waiting.length} of ${nodes.length} nodes are ready: ${list.join(', ')}`);
}

function registeredCondition({ observed, csi }: Findings): NewCondition {
  const type = 'CSINodesRegistered';
  if (csi.health.workloads.length === 0) return { type, status: 'Unknown', reason: 'NotInstalled' };
  const registration = registrationOf(observed.nodes, observed.csiNodeOf);
  if (registration.missing.length === 0) return good(type, 'Registered', `${registration.registered} nodes`);
  return bad(type, 'NodesNotRegistered', registrationText(registration));
}

function upgradeCondition({ cpi, csi }: Findings): NewCondition {
  const offers = [cpi, csi].flatMap(({ driver, resolution }) =>
    resolution.available === undefined ? [] : [`${driver.toUpperCase()} ${resolution.available}`],
  );
  if (offers.length === 0) return { type: 'UpgradeAvailable', status: 'False', reason: 'UpToDate' };
  return good('UpgradeAvailable', 'NewerVersionFits', `${offers.join(', ')}: \`slipway drivers upgrade\``);
}

function degradedCondition({ cpi, csi }: Findings, failed: readonly DriverState[]): NewCondition {
  const type = 'Degraded';
  const [first] = failed;
  if (first !== undefined) {
    const words = failed.map(
      ({ driver, resolution, status, health }) =>
        `${driver.toUpperCase()} ${resolution.entry?.version ?? ''} did not become healthy within 15 minutes, the previous version is ${status.installedVersion ?? ''}: ${health.message}`,
    );
    const { message = '' } = bad(type, 'UpgradeFailed', words.join('; '));
    return { type, status: 'True', reason: 'UpgradeFailed', message };
  }
  const ill = [cpi, csi].filter(({ health }) => health.health === 'Degraded' || health.health === 'Unhealthy');
  const [worst] = ill;
  if (worst === undefined) return { type, status: 'False', reason: 'AsExpected' };
  const { message = '' } = bad(type, worst.health.reason, ill.map(({ health }) => health.message).join('; '));
  return { type, status: 'True', reason: worst.health.reason, message };
}

function readyCondition(conditions: readonly NewCondition[]): NewCondition {
  const failing = partsOfReady.flatMap((type) =>
    conditions.filter((each) => each.type === type && each.status !== 'True'),
  );
  const [first] = failing;
  if (first === undefined) return good('Ready', 'Healthy');
  return {
    type: 'Ready',
    status: 'False',
    reason: first.reason,
    message: failing
      .map(({ type, message = '' }) => `${type}: ${message}`)
      .join('; ')
      .slice(0, 8_000),
  };
}

/** Returns the status in one line: `Healthy`, `Installing CSI 3.8.0 (vsphere-csi-node 2/5)`, `Degraded: …`. */
export function summaryOf({ cpi, csi }: Findings, conditions: readonly NewCondition[]): string {
  const of = (type: string): NewCondition | undefined => conditions.find((each) => each.type === type);
  const degraded = of('Degraded');
  if (degraded?.status === 'True') return `Degraded: ${degraded.message ?? ''}`;
  if (of('Ready')?.status === 'True') return 'Healthy';
  const moving = [cpi, csi].filter(({ health }) => health.health === 'Progressing');
  if (moving.length > 0)
    return moving
      .map(({ driver, resolution, status, health }) => {
        const verb =
          status.installedVersion === undefined
            ? 'Installing'
            : status.installedVersion === resolution.entry?.version
              ? 'Restarting'
              : 'Upgrading';
        return `${verb} ${driver.toUpperCase()} ${resolution.entry?.version ?? ''} (${health.message})`;
      })
      .join(', ');
  const ready = of('Ready');
  return `${ready?.reason ?? 'Unknown'}: ${ready?.message ?? ''}`;
}
