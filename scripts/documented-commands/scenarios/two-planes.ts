import type { Scenario } from '../scenario.js';

const second = (name: string, ...flags: readonly string[]): string =>
  `exec slipway up --port 0 --data-dir ./${name} --kubeconfig ./${name}.conf ${flags.join(' ')}`;
/** Waits until the kubeconfig of a newly started plane works. */
const serves = (name: string): string =>
  `for i in $(seq 240); do kubectl --kubeconfig ${name}.conf get --raw /readyz >/dev/null 2>&1 && break; sleep 0.5; done`;

/** Scenario in which clusters are moved between management planes, and managers run next to an API server. */
export const twoPlanes: Scenario = {
  title: 'two management planes',
  steps: [
    { command: 'slipway up &', names: { ' &': '' }, until: /Stop +Ctrl-C/, keepsRunning: true },
    {
      command: 'slipway move --to-kubeconfig company.conf --dry-run',
      background: second('company'),
      before: `slipway create cluster demo -i dev; ${serves('company')}`,
    },
    { command: 'slipway move --to-directory ./moved' },
    { command: 'slipway move --to-kubeconfig company.conf' },
    {
      command: 'slipway move --kubeconfig company.conf --to-kubeconfig plane.conf',
      // Waits, because the managers of company.conf may not have reconciled the moved cluster yet.
      before:
        'kubectl --kubeconfig company.conf wait cluster/demo --for condition=ControlPlaneInitialized --timeout 2m',
      names: { 'plane.conf': '~/.local/share/slipway/admin.conf' },
    },
    {
      command: 'slipway move --kubeconfig ./stock.conf --to-kubeconfig ~/.local/share/slipway/admin.conf',
      background: second('stock'),
      before: `${serves('stock')}; slipway create cluster moved -i dev --kubeconfig stock.conf`,
    },
    {
      command: 'slipway move --to-kubeconfig company.conf --namespace clusters',
      before: `kubectl --kubeconfig ~/.local/share/slipway/admin.conf create namespace clusters; slipway create cluster other -i dev -n clusters`,
    },
    {
      command: 'slipway move --from-directory ./moved --to-kubeconfig company.conf',
    },
    {
      command: 'slipway manager --kubeconfig ./company.conf --install-crds',
      background: second('kubernetes', '--api-only'),
      before: serves('kubernetes'),
      names: { company: 'kubernetes', '--install-crds': '--install-crds --webhook-url=https://127.0.0.1:9443' },
      until: /Manager started/,
    },
    {
      command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf',
      names: { '~/.local/share/slipway/admin.conf': 'kubernetes.conf' },
    },
    ...[
      '--leader-elect',
      '--leader-elect --namespace clusters',
      '--shards 8 --concurrency machine=50,cluster=20',
      '--dry-run --controllers machine',
    ].map((flags) => ({
      command: `slipway manager ${flags}`,
      names: { manager: 'manager --webhook-url=https://127.0.0.1:9443 --leader-election-namespace default' },
      until: /Manager started/,
    })),
    { command: 'kubectl get vspheremachines.infrastructure.cluster.x-k8s.io' },
    { command: 'kubectl get vspheremachines.vmware.infrastructure.cluster.x-k8s.io' },
  ],
};
