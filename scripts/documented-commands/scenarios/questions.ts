import type { Scenario } from '../scenario.js';

const worker = `$(slipway get machines -l cluster.x-k8s.io/deployment-name=demo-workers -o name | head -n 1 | cut -d/ -f2)`;
/** Creates a machine whose deletion waits for a finalizer that no controller removes. */
const stuck = `
  kubectl patch devmachine ${worker} --type json -p '[{"op":"add","path":"/metadata/finalizers/-","value":"example.com/hold"}]' &&
  kubectl delete machine ${worker} --wait=false &&
  kubectl wait devmachine -l cluster.x-k8s.io/deployment-name=demo-workers --for jsonpath='{.metadata.deletionTimestamp}' --timeout 2m`;

/** Scenario of commands that ask for missing values or for a confirmation. */
export const questions: Scenario = {
  title: 'questions',
  steps: [
    { command: 'slipway up', until: /Stop +Ctrl-C/, keepsRunning: true },
    { command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf' },
    {
      command: 'slipway create cluster demo',
      answers: [
        ['Infrastructure provider', 'Enter'],
        ['Kubernetes version', 'Enter'],
        ['Number of control plane machines', 'Enter'],
        ['Number of worker machines', '1', 'Enter'],
      ],
    },
    {
      command: 'slipway create cluster',
      answers: [
        ['Name of the cluster', 'other', 'Enter'],
        ['Infrastructure provider', 'Enter'],
        ['Kubernetes version', 'v1.34.1', 'Enter'],
        ['Number of control plane machines', 'Enter'],
        ['Number of worker machines', 'Enter'],
      ],
    },
    {
      command: 'slipway unblock devmachine/demo-x7k2p --dry-run',
      before: stuck,
      names: { 'demo-x7k2p': worker },
    },
    {
      command: 'slipway unblock devmachine/demo-x7k2p --reason "host was decommissioned"',
      names: { 'demo-x7k2p': worker },
      input: 'y\\r',
    },
  ],
};
