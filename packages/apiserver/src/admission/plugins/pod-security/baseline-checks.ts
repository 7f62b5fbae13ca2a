import { type Fields, fieldsOf, itemsOf, textOf, textsOf } from '@slipway/kube';
import { baselineCapabilities } from './capabilities.js';
import { allContainers, type Check, containerText, namesOf, plural, podSecurity, quoted, sorted } from './check.js';
import { hostProbes } from './host-probes.js';
import { appArmorProfile, seccompProfileBaseline, seLinuxOptions } from './profiles.js';

const hostNamespaces: Check = {
  id: 'hostNamespaces',
  run({ spec }) {
    const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
    return used.length === 0
      ? undefined
      : { reason: 'host namespaces', detail: used.map((field) => `${field}=true`).join(', ') };
  },
};

const hostPathVolumes: Check = {
  id: 'hostPathVolumes',
  run({ spec }) {
    const names = itemsOf(spec['volumes'])
      .filter((volume) => volume['hostPath'] !== undefined)
      .map((volume) => textOf(volume['name']));
    if (names.length === 0) return undefined;
    return { reason: 'hostPath volumes', detail: `${plural('volume', 'volumes', names.length)} ${quoted(names)}` };
  },
};

const hostPorts: Check = {
  id: 'hostPorts',
  run(pod) {
    const bad = allContainers(pod)
      .map(({ name, container }) => ({ name, ports: portsOf(container) }))
      .filter(({ ports }) => ports.length > 0);
    if (bad.length === 0) return undefined;
    const ports = sorted(bad.flatMap((one) => one.ports));
    const uses = `${plural('uses', 'use', bad.length)} ${plural('hostPort', 'hostPorts', ports.length)}`;
    return { reason: 'hostPort', detail: `${containerText(bad.map(({ name }) => name))} ${uses} ${ports.join(', ')}` };
  },
};

function portsOf(container: Fields): readonly string[] {
  return itemsOf(container['ports'])
    .map((port) => Number(port['hostPort'] ?? 0))
    .filter((port) => port !== 0)
    .map(String);
}

const privileged: Check = {
  id: 'privileged',
  run(pod) {
    const bad = allContainers(pod).filter(({ security }) => security['privileged'] === true);
    if (bad.length === 0) return undefined;
    return {
      reason: 'privileged',
      detail: `${containerText(namesOf(bad))} must not set securityContext.privileged=true`,
    };
  },
};

const procMount: Check = {
  id: 'procMount',
  run(pod) {
    const used = (security: Fields): string => textOf(security['procMount']);
    const bad = allContainers(pod).filter(({ security }) => !['', 'Default'].includes(used(security)));
    if (bad.length === 0) return undefined;
    const types = sorted(bad.map(({ security }) => used(security)));
    return {
      reason: 'procMount',
      detail: `${containerText(namesOf(bad))} must not set securityContext.procMount to ${quoted(types)}`,
    };
  },
};

const safeSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);

const sysctls: Check = {
  id: 'sysctls',
  run(pod) {
    const names = itemsOf(podSecurity(pod)['sysctls']).map((sysctl) => textOf(sysctl['name']));
    const bad = names.filter((name) => !safeSysctls.has(name));
    if (bad.length === 0) return undefined;
    return { reason: plural('forbidden sysctl', 'forbidden sysctls', bad.length), detail: bad.join(', ') };
  },
};

const windowsHostProcess: Check = {
  id: 'windowsHostProcess',
  run(pod) {
    const isHostProcess = (security: Fields): boolean => fieldsOf(security['windowsOptions'])['hostProcess'] === true;
    const bad = allContainers(pod).filter(({ security }) => isHostProcess(security));
    const byPod = isHostProcess(podSecurity(pod));
    if (bad.length === 0 && !byPod) return undefined;
    const subjects = [...(byPod ? ['pod'] : []), ...(bad.length === 0 ? [] : [containerText(namesOf(bad))])];
    return {
      reason: 'hostProcess',
      detail: `${subjects.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true`,
    };
  },
};

const capabilities: Check = {
  id: 'capabilities_baseline',
  run(pod) {
    const added = ({ security }: { readonly security: Fields }): readonly string[] =>
      textsOf(fieldsOf(security['capabilities'])['add']).filter((name) => !baselineCapabilities.has(name));
    const bad = allContainers(pod).filter((one) => added(one).length > 0);
    if (bad.length === 0) return undefined;
    return {
      reason: 'non-default capabilities',
      detail: `${containerText(namesOf(bad))} must not include ${quoted(sorted(bad.flatMap(added)))} in securityContext.capabilities.add`,
    };
  },
};

/** The checks of the baseline level, sorted by id: the order in which violations are reported. */
export const baselineChecks: readonly Check[] = [
  appArmorProfile,
  capabilities,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbes,
  privileged,
  procMount,
  seLinuxOptions,
  seccompProfileBaseline,
  sysctls,
  windowsHostProcess,
];
