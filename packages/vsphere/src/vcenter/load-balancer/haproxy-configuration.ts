import { type BalancedServer, haproxyBackend, haproxyDefaults } from '@slipway/cluster-api';

export interface DataPlaneUser {
  readonly username: string;
  readonly password: string;
}

/** Paths in the guest. */
export const haproxyPaths = {
  configuration: '/etc/haproxy/haproxy.cfg',
  authority: '/etc/haproxy/ca.crt',
  authorityKey: '/etc/haproxy/ca.key',
  certificate: '/etc/haproxy/server.crt',
  key: '/etc/haproxy/server.key',
} as const;

export const haproxyPorts = { api: 6443, health: 8081, stats: 8404, dataPlane: 5556 } as const;

const userList = 'controller';

const dataPlaneCommand = [
  '/usr/bin/dataplaneapi',
  '--scheme=https',
  '--haproxy-bin=/usr/sbin/haproxy',
  `--config-file=${haproxyPaths.configuration}`,
  '--reload-cmd="/usr/bin/systemctl reload haproxy"',
  '--reload-delay=5',
  '--tls-host=0.0.0.0',
  `--tls-port=${haproxyPorts.dataPlane}`,
  `--tls-ca=${haproxyPaths.authority}`,
  `--tls-certificate=${haproxyPaths.certificate}`,
  `--tls-key=${haproxyPaths.key}`,
  `--userlist=${userList}`,
].join(' ');

/**
 * Renders the whole HAProxy configuration: the API servers on one port, health and statistics on two others, and the Data
 * Plane API that replaces this file. The file contains the API's user, so it is as confidential as the password.
 */
export function loadBalancerConfiguration(user: DataPlaneUser, servers: readonly BalancedServer[]): string {
  const lines = [
    '# Managed by Slipway. Manual changes are overwritten.',
    'global',
    '  log stdout format raw local0',
    '  master-worker',
    '  stats socket /run/haproxy.sock user haproxy group haproxy mode 660 level admin expose-fd listeners',
    '  maxconn 4096',
    '  hard-stop-after 30m',
    `userlist ${userList}`,
    `  user ${user.username} insecure-password ${user.password}`,
    ...haproxyDefaults,
    'frontend health',
    '  mode http',
    `  bind *:${haproxyPorts.health}`,
    '  monitor-uri /healthz',
    'listen stats',
    '  mode http',
    `  bind *:${haproxyPorts.stats}`,
    '  stats enable',
    '  stats uri /stats',
    'frontend kube-apiserver',
    `  bind *:${haproxyPorts.api}`,
    '  default_backend control-plane',
    ...haproxyBackend('control-plane', 'first', servers),
    'program api',
    `  command ${dataPlaneCommand}`,
    '  no option start-on-reload',
  ];
  return `${lines.join('\n')}\n`;
}
