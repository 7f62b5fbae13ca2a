import type { BootFile, MachineSetup } from '../types.js';
import {
  bootCommandLines,
  commandLines,
  diskLines,
  fileLines,
  type Lines,
  mountLines,
  ntpLines,
  userLines,
} from './sections.js';

// The first line enables the template engine of cloud-init, which inserts instance metadata such as the host name.
const header: Lines = ['## template: jinja', '#cloud-config', ''];
const sentinelCommand = 'echo success > /run/cluster-api/bootstrap-success.complete';
const placeholderLines: Lines = [
  '-   path: /run/cluster-api/placeholder',
  '    owner: root:root',
  "    permissions: '0640'",
  '    content: "This placeholder file is used to create the /run/cluster-api sub directory in a way that is compatible with both Linux and Windows (mkdir -p /run/cluster-api does not work with Windows)"',
];

/**
 * Returns the `#cloud-config` of a machine. Order, quotes and spaces are those of Cluster API, because providers depend on them.
 */
export function renderCloudConfig(setup: MachineSetup): string {
  const lines = [
    ...header,
    'write_files:',
    ...setup.files.flatMap(fileLines),
    ...fileLines(kubeadmFile(setup)),
    ...placeholderLines,
    ...bootCommandLines(setup.bootCommands),
    'runcmd:',
    ...commandLines(setup.preKubeadmCommands),
    kubeadmCommandLine(setup),
    ...commandLines(setup.postKubeadmCommands),
    ...ntpLines(setup.ntp),
    ...userLines(setup.users),
    ...diskLines(setup.diskSetup),
    ...mountLines(setup.mounts),
  ];
  return `${lines.join('\n')}\n`;
}

function kubeadmFile(setup: MachineSetup): BootFile {
  const path = setup.role === 'init' ? '/run/kubeadm/kubeadm.yaml' : '/run/kubeadm/kubeadm-join-config.yaml';
  // As upstream, write no document separator for a joining control plane, but one for all other roles.
  const start = setup.role === 'control-plane-join' ? '' : '---\n';
  return { path, owner: 'root:root', permissions: '0640', content: start + setup.documents.join('\n---\n') };
}

function kubeadmCommandLine(setup: MachineSetup): string {
  const verbosity = setup.verbosity === undefined ? '' : `--v ${setup.verbosity}`;
  return setup.role === 'init'
    ? `  - 'kubeadm init --config /run/kubeadm/kubeadm.yaml ${verbosity} && ${sentinelCommand}'`
    : `  - kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml ${verbosity} && ${sentinelCommand}`;
}
