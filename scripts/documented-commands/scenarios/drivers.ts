import type { Scenario, Step } from '../scenario.js';

const users = (verb: string, ...flags: readonly string[]): Step => {
  const admin = 'admin@vsphere.local';
  const command = ['slipway drivers users', verb, '--vcenter vc.example.com --admin-user', admin, ...flags].join(' ');
  return { command, answers: [[`Password of ${admin}`, 'secret', 'Enter']] };
};

/**
 * Runs the operator in place of its pod. It is restarted as by a kubelet, because the deletion of its namespace may end it. It
 * runs without leader election, because its Lease is in that namespace.
 */
const operator = `trap 'kill $!; exit' TERM; while sleep 0.2; do slipway drivers operator & wait $!; done`;
const connection = `server: vc.example.com, insecure: false, datacenters: [DC0], secretName: vc-creds`;
/** Widens the Kubernetes versions of the matrix, so that there is a driver version to change to. */
const widened = `slipway drivers matrix show | jq '.CSI[].k8s.max = "1.40"' > matrix.yaml`;

/** Scenario of the vSphere drivers, on a cluster with a simulated node and with vcsim as its vCenter. */
export const drivers: Scenario = {
  title: 'vSphere drivers',
  servers: { 'vc.example.com': 'vcenter' },
  steps: [
    { command: 'slipway up', until: /Stop +Ctrl-C/, keepsRunning: true },
    { command: 'export KUBECONFIG=~/.local/share/slipway/admin.conf' },
    {
      command: 'slipway drivers preflight',
      background: 'exec $SIMULATE nodes',
      before: 'kubectl wait node/node-0 --for create --timeout 1m',
    },
    { command: 'slipway drivers deploy --image-registry registry.local --no-wait' },
    { command: 'slipway drivers deploy' },
    { ...users('create', '--datacenter DC0 --dry-run'), background: operator },
    {
      command:
        'slipway drivers users create --vcenter vc.example.com --admin-user administrator@vsphere.local --datacenter DC0 --secret-name prod-drivers --secret-namespace default',
      answers: [['Password of administrator@vsphere.local', 'secret', 'Enter']],
    },
    users('update', '--datacenter DC0 --datastore LocalDS_0'),
    users('rotate'),
    users('list'),
    {
      command: 'kubectl annotate cluster prod vdo.vmware.com/drivers=cpi,csi vdo.vmware.com/credentials=prod-drivers',
      before: 'slipway create cluster prod -i dev',
    },
    {
      command: 'slipway drivers configure drivers',
      answers: [
        ['Install the cloud provider', 'Enter'],
        ['Host name or IP address of vCenter', 'vc.example.com', 'Enter'],
        ['Trust it?', 'Enter'],
        ['vCenter user, as user@domain', 'vdo-csi@vsphere.local', 'Enter'],
        ['Password of vdo-csi@vsphere.local', 'secret', 'Enter'],
        ['Datacenters, comma-separated', 'DC0', 'Enter'],
        ['a separate vCenter account?', 'Enter'],
        ['define zones', 'Enter'],
        ['kubelet directory', 'Enter'],
        ['file volumes?', 'Enter'],
      ],
    },
    { command: 'slipway drivers status' },
    { command: 'slipway drivers status -o json' },
    { command: 'slipway drivers status --watch', until: /VDO: Healthy/ },
    { command: 'slipway drivers version' },
    { command: 'slipway drivers version -o yaml' },
    { command: 'slipway drivers update compatibility-matrix https://example.com/matrix.yaml' },
    { command: 'slipway drivers update cm matrix.yaml', before: widened },
    { command: 'slipway drivers configure compatibility-matrix matrix.yaml' },
    { command: 'slipway drivers upgrade --csi 3.5.1' },
    { command: 'slipway drivers rollback csi' },
    { command: 'slipway drivers upgrade --csi auto' },
    { command: 'slipway drivers upgrade' },
    { command: 'slipway drivers delete vdo', input: 'y\\r' },
    {
      command: 'slipway drivers secrets set --name vc-creds --username csi@vsphere.local',
      answers: [['Password of csi@vsphere.local', 'secret', 'Enter']],
    },
    { command: 'slipway drivers secrets check --name vc-creds' },
    {
      command: 'slipway drivers deploy --bundle vdo-bundle.tar',
      before: 'slipway drivers bundle create --file vdo-bundle.tar',
    },
    { command: 'slipway drivers deploy --bundle vdo-bundle.tar --image-registry mirror.local/vdo' },
    {
      command: 'slipway drivers configure drivers --from-file answers.yaml',
      before: `echo '{ cpi: [{ ${connection} }], csi: [{ ${connection} }] }' > answers.yaml`,
    },
    { command: 'slipway drivers delete vdo --drivers remove --crds --yes' },
    users('delete'),
  ],
};
