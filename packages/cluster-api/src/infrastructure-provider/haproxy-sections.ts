import { ReconcileError } from '@slipway/runtime';

/** An API server behind the load balancer. */
export interface BalancedServer {
  /** Name of the machine. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Whether the Machine is being deleted: open connections stay, new ones are not accepted. */
  readonly isDraining: boolean;
}

// Longer than a watch is ever idle: bookmarks arrive every minute. Long enough for most idle kubectl sessions.
const idleTimeout = '1h';

/** Defaults for long-lived connections to API servers. */
export const haproxyDefaults: readonly string[] = [
  'defaults',
  '  mode tcp',
  '  timeout connect 2s',
  '  timeout check 2s',
  `  timeout client ${idleTimeout}`,
  `  timeout server ${idleTimeout}`,
  `  timeout tunnel ${idleTimeout}`,
  '  retries 3',
  '  option redispatch',
  // After a reload, the old HAProxy process no longer runs health checks. TCP keep-alive detects machines that are gone.
  '  option clitcpka',
  '  option srvtcpka',
  '  srvtcpka-idle 30s',
  '  srvtcpka-intvl 10s',
  '  srvtcpka-cnt 3',
];

/** Returns a backend that forwards TCP connections to the API servers whose /readyz succeeds. */
export function haproxyBackend(
  name: string,
  balance: 'roundrobin' | 'first',
  servers: readonly BalancedServer[],
): readonly string[] {
  return [
    `backend ${name}`,
    `  balance ${balance}`,
    '  option httpchk GET /readyz',
    // 401 is accepted because API servers without anonymous access always return it. It only shows that the server runs.
    '  http-check expect status 200,401',
    '  default-server check check-ssl verify none inter 2s fall 3 rise 2 on-marked-down shutdown-sessions',
    ...sortedServers(servers).map(
      (server) =>
        `  server ${server.name} ${haproxyAddress(server.host)}:${server.port} weight ${serverWeight(server)}`,
    ),
  ];
}

/** Returns the weight of a server. With weight 0 it keeps its connections and gets no new ones. */
export function serverWeight({ isDraining }: Pick<BalancedServer, 'isDraining'>): number {
  return isDraining ? 0 : 1;
}

/** Returns the servers sorted by name, so that the order of machines does not change the configuration. */
export function sortedServers(servers: readonly BalancedServer[]): readonly BalancedServer[] {
  return [...servers].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/**
 * Validates an address. Accepts only IP addresses and host names, because HAProxy is privileged and reads it as configuration.
 */
export function haproxyAddress(host: string): string {
  if (!/^[0-9A-Za-z.:_-]+$/.test(host))
    throw new ReconcileError(
      'InvalidSpec',
      `invalid address ${JSON.stringify(host)}: use an IP address or a host name`,
      { retry: 'onChange' },
    );
  return host.includes(':') ? `[${host}]` : host;
}
