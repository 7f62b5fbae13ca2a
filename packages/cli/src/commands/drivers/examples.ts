import type { Command } from 'commander';
import { addExamples } from '../../options/common-options.js';

const vcenter = '--vcenter vc.example.com \\\n    --admin-user admin@vsphere.local';

/** Examples by the path of the command below `slipway drivers`. */
const examples: Readonly<Record<string, readonly string[]>> = {
  deploy: ['deploy', 'deploy --image-registry registry.local --no-wait', 'deploy --bundle vdo-bundle.tar'],
  status: ['status', 'status --watch', 'status -o json'],
  version: ['version', 'version -o yaml'],
  preflight: ['preflight'],
  logs: ['logs', 'logs --tail 1000'],
  'matrix show': ['matrix show > matrix.yaml'],
  'matrix validate': ['matrix validate matrix.yaml'],
  'matrix explain': ['matrix explain --kubernetes 1.36 --vsphere 8.0.3'],
  'update compatibility-matrix': [
    'update compatibility-matrix https://example.com/matrix.yaml',
    'update cm matrix.yaml',
  ],
  upgrade: ['upgrade', 'upgrade --csi 3.5.1', 'upgrade --csi auto'],
  rollback: ['rollback csi'],
  delete: ['delete vdo', 'delete vdo --drivers remove --crds --yes'],
  'bundle create': ['bundle create --file vdo-bundle.tar', 'bundle create --csi 3.5.1 --file vdo-bundle.tar'],
  'bundle images': ['bundle images --file vdo-bundle.tar'],
  'bundle olm': ['bundle olm ./olm-bundle'],
  'configure drivers': ['configure drivers', 'configure drivers --from-file answers.yaml'],
  'configure compatibility-matrix': ['configure compatibility-matrix matrix.yaml'],
  'users create': [`users create ${vcenter} --datacenter DC0 --dry-run`],
  'users update': [`users update ${vcenter} --datacenter DC0 --datastore LocalDS_0`],
  'users rotate': [`users rotate ${vcenter}`],
  'users list': [`users list ${vcenter}`],
  'users delete': [`users delete ${vcenter}`],
  'secrets set': ['secrets set --name vc-creds --username csi@vsphere.local'],
  'secrets check': ['secrets check --name vc-creds'],
};

export function addDriversExamples(command: Command, path = ''): void {
  for (const below of command.commands) {
    const name = path === '' ? below.name() : `${path} ${below.name()}`;
    const lines = examples[name];
    if (lines !== undefined) addExamples(below, ...lines.map((line) => `slipway drivers ${line}`));
    addDriversExamples(below, name);
  }
}
