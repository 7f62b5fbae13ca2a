import { parse } from 'yaml';
import { isMachineGroup, machineGroups } from './names.js';
import type { MachineApi } from './observe.js';

/** Flags of cluster-machine-approver. */
export interface ApproverFlags {
  readonly apiGroupVersion?: readonly string[];
  /** Deprecated: a single API group. */
  readonly apigroup?: string;
  readonly machineNamespace?: string;
  readonly disableStatusController?: boolean;
  readonly maxConcurrentReconciles?: number;
}

export interface ApproverSettings {
  readonly apis: readonly MachineApi[];
  readonly machineNamespace: string;
  readonly clientFlowDisabled: boolean;
  readonly reportsStatus: boolean;
  readonly concurrency: number;
  /** Listen address, `host:port`. */
  readonly metricsAddress: string;
  /** Version of the release. */
  readonly version: string;
}

/** A flag or an environment variable is invalid. */
export class ApproverSettingsError extends Error {
  constructor(
    message: string,
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'ApproverSettingsError';
  }
}

const defaultGroup = 'machine.openshift.io';
const metricsDefault = { address: '127.0.0.1', port: 9191 };

/** `config` is the content of the `--config` file. Undefined if it does not exist. */
export function readApproverSettings(
  flags: ApproverFlags,
  env: Readonly<Record<string, string | undefined>>,
  config?: string,
): ApproverSettings {
  return {
    apis: readApis(flags),
    machineNamespace: flags.machineNamespace ?? '',
    clientFlowDisabled: isClientFlowDisabled(config ?? ''),
    reportsStatus: flags.disableStatusController !== true,
    concurrency: flags.maxConcurrentReconciles ?? 1,
    metricsAddress: readMetricsAddress(env),
    version: env['RELEASE_VERSION'] ?? '',
  };
}

function readApis({ apiGroupVersion = [], apigroup = '' }: ApproverFlags): readonly MachineApi[] {
  if (apigroup !== '' && apiGroupVersion.length > 0)
    throw new ApproverSettingsError(
      '--apigroup and --api-group-version are mutually exclusive',
      'use only --api-group-version: --apigroup is deprecated',
    );
  const given = apigroup === '' ? apiGroupVersion : [apigroup];
  return (given.length === 0 ? [defaultGroup] : given).map(readApi);
}

function readApi(text: string): MachineApi {
  const [group = '', version, ...rest] = text.split('/');
  if (rest.length > 0 || version === '')
    throw new ApproverSettingsError(
      `"${text}" is not an API group and version`,
      'use for example cluster.x-k8s.io/v1beta2',
    );
  if (!isMachineGroup(group))
    throw new ApproverSettingsError(
      `Machines of API group "${group}" are not supported`,
      `use ${machineGroups.join(' or ')}`,
    );
  return { group, ...(version !== undefined && { version }) };
}

/** Returns whether the file disables approval of client certificates. False if the file is missing, empty or invalid. */
function isClientFlowDisabled(config: string): boolean {
  try {
    const value = parse(config) as { readonly nodeClientCert?: { readonly disabled?: unknown } } | null;
    return value?.nodeClientCert?.disabled === true;
  } catch {
    return false;
  }
}

function readMetricsAddress(env: Readonly<Record<string, string | undefined>>): string {
  const { METRICS_PORT: port, METRICS_BIND_ADDRESS: address } = env;
  if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535))
    throw new ApproverSettingsError(`METRICS_PORT "${port}" is not a port`, 'use a number up to 65535');
  // A port without an address listens on all interfaces, as in upstream.
  const host = address ?? (port === undefined ? metricsDefault.address : '');
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port ?? metricsDefault.port}`;
}
