import { stringifyManifest } from '@slipway/clusterctl';
import { exportTemplate, kvmMachineTemplates } from '@slipway/kvm';
import { ifPresent } from '@slipway/runtime';
import type { KVMExportOptions } from './command.js';
import { withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes } from '../../errors/index.js';

export async function exportKVM(name: string, options: KVMExportOptions): Promise<ExitCode> {
  return withTarget(options, async ({ client, namespace }, signal) => {
    const template = await ifPresent(client.get(kvmMachineTemplates, { namespace, name }, { signal }));
    if (template === undefined)
      throw new CliError(`there is no KVMMachineTemplate ${name} in namespace ${namespace}`, {
        remedy: 'look with: kubectl get kvmmachinetemplates -A',
      });
    const { object, notes } = exportTemplate(template, options.to);
    process.stdout.write(stringifyManifest([object]));
    for (const note of notes) process.stderr.write(`note: ${note}\n`);
    return exitCodes.ok;
  });
}
