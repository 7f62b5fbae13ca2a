import type { Scenario } from '../scenario.js';

/** Reports the Deployments of managers as available, because no kubelet runs them in this scenario. */
const managersRun = `
  columns=NAMESPACE:.metadata.namespace,NAME:.metadata.name,GENERATION:.metadata.generation,REPLICAS:.spec.replicas
  while sleep 0.5; do
    kubectl get deployments -A --no-headers -o custom-columns=$columns | while read namespace name generation replicas; do
      kubectl patch deployment -n $namespace $name --subresource status --type merge -p '{"status":{"observedGeneration":'$generation',
        "replicas":'$replicas',"readyReplicas":'$replicas',"updatedReplicas":'$replicas',"availableReplicas":'$replicas',
        "conditions":[{"type":"Available","status":"True","reason":"MinimumReplicasAvailable","message":""}]}}'
    done
  done`;

/** Adds later releases to the reader's repository. They have the files of this release. */
const later = `mkdir -p ~/.config/cluster-api && cp repository/clusterctl.yaml ~/.config/cluster-api &&
  for release in cluster-api/v1.14.3 infrastructure-dev/v1.14.3 infrastructure-vsphere/v1.16.1; do
    cp -r repository/\${release%/*}/v1.14.2+slipway.* repository/$release
  done &&
  printf -- '- { contract: v1beta2, major: 1, minor: 16 }\\n' >> repository/infrastructure-vsphere/v1.16.1/metadata.yaml`;

/** Scenario of providers in an existing Kubernetes cluster. */
export const providers: Scenario = {
  title: 'providers',
  steps: [
    { command: 'slipway config repositories' },
    { command: 'slipway config repositories -o yaml' },
    { command: 'slipway init list-images' },
    { command: 'slipway init list-images --infrastructure dev' },
    { command: 'slipway init list-images --infrastructure dev -o json' },
    { command: 'slipway init list-images --infrastructure vsphere' },
    { command: 'slipway generate cluster a -i dev --flavor topology --worker-machine-count 3' },
    { command: 'slipway config cluster a -i dev --flavor topology --worker-machine-count 3' },
    { command: 'slipway generate cluster demo -i dev --list-variables' },
    { command: 'slipway config cluster demo -i dev --list-variables' },
    {
      command: 'slipway generate cluster demo --from ./my-template.yaml -n clusters',
      before: 'slipway generate cluster demo -i dev > my-template.yaml',
    },
    { command: 'slipway config cluster demo --from ./my-template.yaml -n clusters' },
    {
      command: 'cat template.yaml | slipway generate yaml',
      before: `printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: { name: "\${NAME:=demo}" }\\n' > template.yaml`,
    },
    { command: 'slipway generate yaml --from ./template.yaml --list-variables' },
    { command: 'slipway generate provider --core cluster-api' },
    { command: 'slipway generate provider --infrastructure dev --describe' },
    { command: 'slipway generate provider -b kubeadm -n my-namespace --write-to bootstrap.yaml' },
    { command: 'slipway release --out ./repository' },
    { command: 'slipway up', names: { up: 'up --api-only' }, until: /Stop +Ctrl-C/, keepsRunning: true },
    { command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf' },
    { command: 'slipway init', background: managersRun },
    { command: 'slipway init --infrastructure dev --wait-providers' },
    { command: 'slipway upgrade plan' },
    { command: `slipway upgrade plan -o json | jq '.[].items[] | select(.nextVersion)'` },
    { command: 'slipway upgrade apply --contract v1beta2' },
    { command: 'slipway upgrade apply --contract v1beta2 --wait-providers' },
    { command: 'slipway delete provider --all --dry-run' },
    { command: 'slipway delete provider --infrastructure dev', input: 'y\\r' },
    { command: 'slipway delete provider --all --include-crd --include-namespace --yes' },
    {
      command: 'kubectl apply -f docs/samples/cert-manager-definitions.yaml',
      names: {
        'docs/samples': '"$DOCUMENTATION"/samples',
      },
    },
    {
      command: 'clusterctl --config ./repository/clusterctl.yaml init --infrastructure dev',
    },
    { command: 'slipway operator preload --core cluster-api > core.yaml' },
    { command: 'slipway upgrade apply --core cluster-api:v1.14.3 --infrastructure dev:v1.14.3', before: later },
    { command: 'slipway init --infrastructure vsphere:v1.16.1 --control-plane -' },
    {
      command:
        'kubectl create clusterrole slipway-diagnostics --verb=get --non-resource-url=/metrics,/debug,/debug/changes',
    },
  ],
};
