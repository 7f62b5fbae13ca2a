import { ReconcileError } from '@slipway/runtime';

/** An API server behind the balancer. */
export interface BalancedServer {
  /** Of the machine. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** It is about to go: what is open stays, nothing new comes. */
  readonly isDraining: boolean;
}

// Longer than the longest silence of a watch: bookmarks come every minute, idle kubectl sessions stay for hours.
const idleTimeout = '1h';

/** For connections to API servers, which stay open for long. */
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
  // A process that hands over to its successor checks nothing any more: this is how it notices a machine that is gone.
  '  option clitcpka',
  '  option srvtcpka',
  '  srvtcpka-idle 30s',
  '  srvtcpka-intvl 10s',
  '  srvtcpka-cnt 3',
];

/** TCP through to the API servers that say of themselves that they are ready. */
export function haproxyBackend(
  name: string,
  balance: 'roundrobin' | 'first',
  servers: readonly BalancedServer[],
): readonly string[] {
  return [
    `backend ${name}`,
    `  balance ${balance}`,
    '  option httpchk GET /readyz',
    // Without anonymous access the answer is 401 for ever: it serves, and that is all that can be known.
    '  http-check expect status 200,401',
    '  default-server check check-ssl verify none inter 2s fall 3 rise 2 on-marked-down shutdown-sessions',
    ...sortedServers(servers).map(
      (server) =>
        `  server ${server.name} ${haproxyAddress(server.host)}:${server.port} weight ${serverWeight(server)}`,
    ),
  ];
}

/** Without weight a server keeps what it has and gets nothing new. */
export function serverWeight({ isDraining }: Pick<BalancedServer, 'isDraining'>): number {
  return isDraining ? 0 : 1;
}

/** By name: another order of the same machines is no other configuration. */
export function sortedServers(servers: readonly BalancedServer[]): readonly BalancedServer[] {
  return [...servers].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** What stands in the file ends up in a program that runs as somebody: nothing but an address or a name may come from outside. */
export function haproxyAddress(host: string): string {
  if (!/^[0-9A-Za-z.:_-]+$/.test(host))
    throw new ReconcileError(
      'InvalidSpec',
      `${JSON.stringify(host)} is no address; write an IP address or a host name`,
      { retry: 'onChange' },
    );
  return host.includes(':') ? `[${host}]` : host;
}
