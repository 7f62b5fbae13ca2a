import { createHash } from 'node:crypto';
import {
  type BalancedServer,
  haproxyAddress,
  haproxyBackend,
  haproxyDefaults,
  sortedServers,
} from '@slipway/cluster-api';

export interface BalancerSpec {
  /** Names its folder: what was made for a cluster is found again by it, also after a move. */
  readonly id: string;
  readonly bind: { readonly host: string; readonly port: number };
  readonly servers: readonly BalancedServer[];
}

/** The name that runtime commands know the servers by. */
export const backendName = 'cp';

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
    ...haproxyDefaults,
    'frontend api',
    `  bind ${haproxyAddress(spec.bind.host)}:${spec.bind.port}`,
    `  default_backend ${backendName}`,
    ...haproxyBackend(backendName, 'roundrobin', spec.servers),
  ];
  return `${lines.join('\n')}\n`;
}

/** What a running balancer has to be loaded with. A server that drains is told so while it runs, and changes nothing here. */
export function configurationDigest({ bind, servers }: BalancerSpec): string {
  const facts = [bind.host, bind.port, ...sortedServers(servers).map(({ name, host, port }) => [name, host, port])];
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
}
