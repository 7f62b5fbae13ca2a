import { ReconcileError } from '@slipway/runtime';

/** An API server behind the load balancer. */
export interface BalancedServer {
  /** Name of the machine. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** The machine is being deleted: open connections stay, new ones are not accepted. */
  readonly isDraining: boolean;
}

// Longer than the longest idle time of a watch: bookmarks arrive every minute, idle kubectl sessions last for hours.
const idleTimeout = '1h';

/** For long-lived connections to API servers. */
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
  // An old process that hands over to its successor stops health checks. TCP keep-alive detects machines that are gone.
  '  option clitcpka',
  '  option srvtcpka',
  '  srvtcpka-idle 30s',
  '  srvtcpka-intvl 10s',
  '  srvtcpka-cnt 3',
];

/** Forwards TCP to the API servers whose /readyz succeeds. */
export function haproxyBackend(
  name: string,
  balance: 'roundrobin' | 'first',
  servers: readonly BalancedServer[],
): readonly string[] {
  return [
    `backend ${name}`,
    `  balance ${balance}`,
    '  option httpchk GET /readyz',
    // Without anonymous access the response is always 401: the server runs, and no more can be known.
    '  http-check expect status 200,401',
    '  default-server check check-ssl verify none inter 2s fall 3 rise 2 on-marked-down shutdown-sessions',
    ...sortedServers(servers).map(
      (server) =>
        `  server ${server.name} ${haproxyAddress(server.host)}:${server.port} weight ${serverWeight(server)}`,
    ),
  ];
}

/** With weight 0 a server keeps its connections and gets no new ones. */
export function serverWeight({ isDraining }: Pick<BalancedServer, 'isDraining'>): number {
  return isDraining ? 0 : 1;
}

/** Sorted by name: the order of machines must not change the configuration. */
export function sortedServers(servers: readonly BalancedServer[]): readonly BalancedServer[] {
  return [...servers].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The configuration is input of a privileged program: accept only addresses and host names. */
export function haproxyAddress(host: string): string {
  if (!/^[0-9A-Za-z.:_-]+$/.test(host))
    throw new ReconcileError(
      'InvalidSpec',
      `invalid address ${JSON.stringify(host)}: use an IP address or a host name`,
      { retry: 'onChange' },
    );
  return host.includes(':') ? `[${host}]` : host;
}
