import type { Scenario } from '../scenario.js';

/** Scenario that backs up, restores and upgrades a management plane. */
export const backup: Scenario = {
  title: 'backup and restore',
  steps: [
    { command: 'slipway up', until: /Stop +Ctrl-C/, keepsRunning: true },
    { command: 'slipway backup plane.backup', before: 'slipway create cluster demo -i dev' },
    { command: 'slipway backup before.backup' },
    { command: 'slipway down' },
    { command: 'slipway up --backup-every 24h --backup-keep 14', until: /Stop +Ctrl-C/ },
    { command: 'slipway restore plane.backup --data-dir ./restored' },
    { command: 'slipway up --data-dir ./restored', until: /Stop +Ctrl-C/ },
    { command: 'slipway restore plane.backup', before: 'mv ~/.local/share/slipway ~/.local/share/slipway.before' },
    {
      command: 'slipway restore plane.backup --data-dir ./restored --adopt',
      before: 'rm -r ./restored',
      input: 'y\\r',
    },
    {
      command: 'slipway up --port 0 --data-dir ./plane --kubeconfig ./plane.conf',
      until: /Stop +Ctrl-C/,
      keepsRunning: true,
    },
    { command: 'slipway backup --data-dir ./plane "plane-$(date +%F).backup"' },
    { command: 'slipway down --data-dir ./plane --timeout 2m' },
    { command: 'slipway doctor --storage --data-dir ./plane' },
    { command: 'slipway doctor --storage' },
    { command: 'slipway certs rotate' },
    { command: 'slipway certs rotate --ca' },
    { command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf' },
    {
      command: 'slipway up --bind 0.0.0.0 --log-format json 2>plane.log',
      names: { '2>plane.log': '2> >(tee plane.log >&2)' },
      until: /"msg":"Serving"/,
      keepsRunning: true,
    },
    {
      command: `kubectl patch cluster demo --type merge -p '{"spec":{"paused":null}}'`,
    },
  ],
};
