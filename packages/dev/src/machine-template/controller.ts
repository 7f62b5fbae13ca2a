import { defineInfrastructureMachineTemplate } from '@slipway/provider-kit';
import type { Controller, ControllerContext } from '@slipway/runtime';
import { devMachineTemplates } from '../api/index.js';
import { nodeCapacity } from '../workload/index.js';

export function createDevMachineTemplateController(
  context: Pick<ControllerContext, 'concurrency' | 'watchFilter'>,
): Controller {
  const { cpu, memory } = nodeCapacity;
  return defineInfrastructureMachineTemplate(
    {
      name: 'devmachinetemplate',
      resource: devMachineTemplates,
      capacityOf: ({ spec }) => (spec?.template.spec.backend.inMemory === undefined ? undefined : { cpu, memory }),
    },
    context,
  );
}
