import type { Scenario } from '../scenario.js';

const nameOf = (label: string): string => `$(slipway get machines -l ${label} -o name | head -n 1 | cut -d/ -f2)`;
const worker = nameOf('cluster.x-k8s.io/deployment-name=demo-workers');
const controlPlane = nameOf('cluster.x-k8s.io/control-plane');
const oldestRevision = `$(kubectl get machinesets -o jsonpath='{range .items[*]}{.metadata.annotations.machinedeployment\\.clusters\\.x-k8s\\.io/revision}{"\\n"}{end}' | sort -n | head -n 1)`;
/**
 * Keeps machines of the old revision: old MachineSets, to which a rollout can be undone, exist as long as one of their machines
 * does.
 */
const holdOldMachines =
  'kubectl annotate machines --all pre-drain.delete.hook.machine.cluster.x-k8s.io/example=held && slipway rollout restart machinedeployment/demo-workers && kubectl wait machinedeployment/demo-workers --for condition=RollingOut --timeout 1m';

/** Scenario of everyday work with clusters: create, observe, plan, change, delete. */
export const everyday: Scenario = {
  title: 'everyday work',
  steps: [
    { command: 'slipway up --feature-gates ClusterTopology=true', until: /Stop +Ctrl-C/, keepsRunning: true },
    { command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf' },
    { command: 'slipway generate cluster demo -i dev | kubectl apply -f -' },
    { command: 'slipway config cluster demo -i dev | kubectl apply -f -' },
    { command: 'slipway create cluster demo --infrastructure dev' },
    { command: 'slipway describe cluster demo' },
    { command: 'slipway describe cluster demo --show-conditions=all+ --watch', until: /demo/ },
    { command: 'slipway describe cluster demo -o json | jq .condition' },
    { command: 'slipway get clusters -A' },
    { command: 'slipway get machines -l cluster.x-k8s.io/cluster-name=demo -o wide' },
    { command: 'slipway get cluster/demo -o yaml' },
    { command: 'slipway get kubeconfig demo > demo.kubeconfig' },
    { command: 'slipway why demo' },
    { command: 'slipway why machine/demo-workers-x7k2p', names: { 'demo-workers-x7k2p': worker } },
    { command: 'slipway why machine/demo-x7k2p', names: { 'demo-x7k2p': controlPlane } },
    { command: 'slipway why kcp demo -o json | jq .root.next' },
    { command: 'slipway why cluster/my-cluster', names: { 'my-cluster': 'demo' } },
    { command: 'slipway timeline demo' },
    { command: 'slipway timeline demo -o json | jq .criticalPath' },
    { command: 'slipway doctor' },
    { command: `slipway doctor -o json | jq '.diagnoses[] | select(.severity == "error")'` },
    { command: 'slipway doctor --air-gapped' },
    { command: 'slipway console', until: /https:/ },
    {
      command: 'slipway console --kubeconfig ~/.kube/management.conf --port 8080',
      before: 'mkdir -p ~/.kube && cp ~/.local/share/slipway/admin.conf ~/.kube/management.conf',
      until: /127.0.0.1:8080/,
    },
    {
      command: 'slipway plan -f cluster.yaml',
      before: 'slipway generate cluster demo -i dev --worker-machine-count 2 > cluster.yaml',
    },
    { command: 'kustomize build . | slipway plan -f - -o json' },
    { command: 'slipway plan -f cluster.yaml --forbid replace --forbid delete' },
    { command: 'slipway plan -f cluster.yaml --delete', exitCode: 9 },
    { command: 'slipway plan -f cluster.yaml -o markdown' },
    { command: 'slipway plan -f cluster.yaml --out plan.json' },
    { command: 'slipway apply plan.json', input: 'y\\r' },
    { command: 'slipway plan -f cluster.yaml --out plan.json; slipway apply plan.json', input: 'y\\r' },
    { command: 'slipway apply --plan -f cluster.yaml', input: 'y\\r' },
    { command: 'slipway apply --plan --yes --forbid delete -f cluster.yaml' },
    { command: 'slipway scale machinedeployment/demo-workers --replicas 5' },
    { command: 'slipway rollout restart machinedeployment/demo-workers' },
    { command: 'slipway rollout pause machinedeployment/demo-workers' },
    { command: 'slipway rollout resume machinedeployment/demo-workers' },
    { command: 'slipway rollout status machinedeployment/demo-workers' },
    { command: 'slipway rollout status kubeadmcontrolplane/demo --timeout 10m' },
    {
      command: 'slipway rollout undo machinedeployment/demo-workers',
      before: holdOldMachines,
    },
    {
      command: 'slipway rollout undo machinedeployment/demo-workers --to-revision 3',
      names: { 'revision 3': `revision ${oldestRevision}` },
    },
    { command: 'slipway create cluster demo -i dev --control-plane-machine-count 3 --no-wait' },
    {
      command: 'slipway delete cluster demo',
      before: 'kubectl annotate machines --all pre-drain.delete.hook.machine.cluster.x-k8s.io/example-',
      input: 'y\\r',
    },
    { command: 'slipway create cluster demo -i dev --flavor topology --timeout 5m --yes' },
    {
      command: 'slipway get kubeconfig demo --namespace team-a > demo.kubeconfig',
      before: 'kubectl create namespace team-a; slipway create cluster demo -i dev -n team-a --timeout 5m',
    },
    { command: 'slipway scale kcp demo --replicas 3 -n team-a' },
    { command: 'slipway rollout restart kubeadmcontrolplane/demo -n team-a' },
    { command: 'slipway rollout pause kubeadmcontrolplane/demo -n team-a' },
    { command: 'slipway rollout resume kubeadmcontrolplane/demo -n team-a' },
    { command: 'slipway delete cluster demo -n team-a --yes --wait=false' },
  ],
};
