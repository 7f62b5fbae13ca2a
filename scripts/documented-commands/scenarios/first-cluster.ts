import type { Scenario } from '../scenario.js';

const quickStart = '--kubeconfig ~/.local/share/slipway/quick-start.conf';

/** Scenario of README.md, the quick start and the commands that operate a management plane. */
export const firstCluster: Scenario = {
  title: 'a first cluster',
  steps: [
    { command: 'slipway version' },
    { command: 'slipway version -o json' },
    { command: 'slipway version -o short' },
    { command: 'source <(slipway completion bash)' },
    {
      command: 'slipway completion zsh > "${fpath[1]}/_slipway"',
      before: 'mkdir -p zsh',
      names: { '${fpath[1]}': 'zsh' },
    },
    {
      command: 'slipway completion fish > ~/.config/fish/completions/slipway.fish',
      before: 'mkdir -p ~/.config/fish/completions',
    },
    {
      command: 'slipway up --quick-start',
      until: /Cluster default\/quick-start: 3\/3 ready, Available/,
      keepsRunning: true,
    },
    { command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf' },
    { command: 'slipway status' },
    { command: 'slipway status -o json | jq -r .endpoint' },
    { command: 'slipway get clusters,machines' },
    { command: 'slipway describe cluster quick-start' },
    { command: 'slipway why cluster/quick-start' },
    { command: `kubectl ${quickStart} get nodes` },
    { command: 'kubectl get namespaces' },
    ...[
      'kubectl get clusters,machines',
      'clusterctl describe cluster quick-start',
      'kubectl scale machinedeployment quick-start-workers --replicas 5',
      'kubectl scale kubeadmcontrolplane quick-start --replicas 3',
      `kubectl patch kubeadmcontrolplane quick-start --type merge -p '{"spec":{"version":"v1.36.0"}}'`,
    ].map((command) => ({ command })),
    { command: 'slipway scale machinedeployment/quick-start-workers --replicas 5' },
    { command: 'slipway doctor', before: 'slipway rollout status kubeadmcontrolplane/quick-start --timeout 2m' },
    { command: 'slipway logs --tail 100' },
    { command: 'slipway logs -f --since 10m', until: /quick-start/ },
    { command: `slipway logs -o json | jq 'select(.level == "error")'` },
    { command: 'slipway logs -f', until: /quick-start/ },
    { command: 'slipway status' },
    { command: 'slipway backup plane.backup' },
    {
      command: 'slipway up --port 0 --data-dir ./second --kubeconfig ./second.conf',
      until: /Stop +Ctrl-C/,
    },
    { command: 'slipway delete cluster quick-start --yes' },
    {
      command: 'slipway delete cluster quick-start',
      before: 'slipway create cluster quick-start -i dev',
      input: 'y\\r',
    },
    { command: 'kubectl delete cluster quick-start', before: 'slipway create cluster quick-start -i dev' },
    { command: 'slipway down' },
  ],
};
