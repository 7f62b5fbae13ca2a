import { defineInfrastructureMachineTemplate } from '@slipway/provider-kit';
import type { Controller, ControllerContext } from '@slipway/runtime';
import { kvmMachineTemplates, machineSizeOf } from '../api/index.js';

export function createKVMMachineTemplateController(
  context: Pick<ControllerContext, 'concurrency' | 'watchFilter'>,
): Controller {
  return defineInfrastructureMachineTemplate(
    {
      name: 'kvmmachinetemplate',
      resource: kvmMachineTemplates,
      capacityOf({ spec }) {
        const { cpus, memoryMiB } = machineSizeOf(spec?.template.spec);
        return { cpu: String(cpus), memory: `${memoryMiB}Mi` };
      },
      nodeInfo: { architecture: 'amd64', operatingSystem: 'linux' },
    },
    context,
  );
}
