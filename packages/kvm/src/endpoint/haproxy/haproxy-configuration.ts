import { createHash } from 'node:crypto';
import { HaproxyError } from './haproxy-error.js';

/** An API server behind the balancer. */
export interface BalancedServer {
  /** Of the machine. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** It is about to go: what is open stays, nothing new comes. */
  readonly isDraining: boolean;
}

export interface BalancerSpec {
  /** Names its folder: what was made for a cluster is found again by it, also after a move. */
  readonly id: string;
  readonly bind: { readonly host: string; readonly port: number };
  readonly servers: readonly BalancedServer[];
}

/** The name that runtime commands know the servers by. */
export const backendName = 'cp';

// Longer than the longest silence of a watch: bookmarks come every minute, idle kubectl sessions stay for hours.
const idleTimeout = '1h';

const defaults = [
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

/** A text for `haproxy -f`: TCP through to the API servers that say of themselves that they are ready. */
export function haproxyConfiguration(spec: BalancerSpec, statsSocket: string): string {
  const lines = [
    '# Written by Slipway; changes are lost.',
    'global',
    `  description ${configurationDigest(spec)}`,
    `  stats socket ${statsSocket} mode 600 level admin expose-fd listeners`,
    // Otherwise two balancers on one port would share its connections, and nobody would tell.
    '  noreuseport',
    '  maxconn 4096',
    '  hard-stop-after 30m',
    ...defaults,
    'frontend api',
    `  bind ${addressText(spec.bind.host)}:${spec.bind.port}`,
    `  default_backend ${backendName}`,
    `backend ${backendName}`,
    '  balance roundrobin',
    '  option httpchk GET /readyz',
    // Without anonymous access the answer is 401 for ever: it serves, and that is all that can be known.
    '  http-check expect status 200,401',
    '  default-server check check-ssl verify none inter 2s fall 3 rise 2 on-marked-down shutdown-sessions',
    ...sorted(spec.servers).map(
      (server) => `  server ${server.name} ${addressText(server.host)}:${server.port} weight ${weightOf(server)}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

/** Without weight a server keeps what it has and gets nothing new. */
export function weightOf({ isDraining }: BalancedServer): number {
  return isDraining ? 0 : 1;
}

/** What a running balancer has to be loaded with. A server that drains is told so while it runs, and changes nothing here. */
export function configurationDigest({ bind, servers }: BalancerSpec): string {
  const facts = [bind.host, bind.port, ...sorted(servers).map(({ name, host, port }) => [name, host, port])];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}

/** By name: another order of the same machines is no other configuration. */
function sorted(servers: readonly BalancedServer[]): readonly BalancedServer[] {
  return [...servers].sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** What stands in the file ends up in a program that runs as us: nothing but an address or a name may come from outside. */
function addressText(host: string): string {
  if (!/^[0-9A-Za-z.:_-]+$/.test(host))
    throw new HaproxyError('InvalidSpec', `${JSON.stringify(host)} is no address; write an IP address or a host name`);
  return host.includes(':') ? `[${host}]` : host;
}
