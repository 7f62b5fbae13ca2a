import type { Scenario } from '../scenario.js';

/** Scenario of a simulated OpenShift cluster. */
export const openShift: Scenario = {
  title: 'OpenShift',
  steps: [
    {
      command: 'slipway operator openshift-payload --openshift-releases ./releases',
      before: '$SIMULATE openshift-releases ./releases',
    },
    { command: 'slipway dev openshift --platform aws', until: /Ctrl-C/, keepsRunning: true },
    {
      command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf',
      names: { '/admin.conf': '/openshift/admin.conf' },
    },
    { command: 'slipway machine-approver --api-group-version=cluster.x-k8s.io', until: /Approver started/ },
    {
      command:
        'slipway machine-approver --management-cluster-kubeconfig hub.conf --workload-cluster-kubeconfig spoke.conf',
      before: 'cp $KUBECONFIG hub.conf; cp $KUBECONFIG spoke.conf',
      until: /Approver started/,
    },
    {
      command: 'slipway manager --openshift-releases ./releases --install-crds --leader-elect',
      until: /Manager started/,
    },
  ],
};
