import { parse } from 'yaml';
import { isMachineGroup, machineGroups } from './names.js';
import type { MachineApi } from './observe.js';

/** As the flags of cluster-machine-approver are called. */
export interface ApproverFlags {
  readonly apiGroupVersion?: readonly string[];
  /** Deprecated: one group. */
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
  /** `host:port`. */
  readonly metricsAddress: string;
  /** Of the release that it belongs to. */
  readonly version: string;
}

/** What the flags or the environment say cannot be meant. */
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

/** `config` is what the file of `--config` holds; undefined when there is none. */
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
      '--apigroup and --api-group-version exclude each other',
      'say --api-group-version alone: --apigroup is deprecated',
    );
  const given = apigroup === '' ? apiGroupVersion : [apigroup];
  return (given.length === 0 ? [defaultGroup] : given).map(readApi);
}

function readApi(text: string): MachineApi {
  const [group = '', version, ...rest] = text.split('/');
  if (rest.length > 0 || version === '')
    throw new ApproverSettingsError(`"${text}" is no group and version`, 'such as cluster.x-k8s.io/v1beta2');
  if (!isMachineGroup(group))
    throw new ApproverSettingsError(`machines of the group "${group}" are not known`, machineGroups.join(' or '));
  return { group, ...(version !== undefined && { version }) };
}

/** A file that is missing, empty or not understood leaves things as they are by default. */
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
    throw new ApproverSettingsError(`METRICS_PORT "${port}" is no port`, 'a number up to 65535');
  // A port alone means all interfaces, as upstream has it.
  const host = address ?? (port === undefined ? metricsDefault.address : '');
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${port ?? metricsDefault.port}`;
}
