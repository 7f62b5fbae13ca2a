import { type AnyPredicate, type Controller, createController, done, edit, patchObject } from '@slipway/runtime';
import { devMachineTemplates } from '../api/index.js';
import { nodeCapacity } from '../workload/index.js';

export interface DevMachineTemplateControllerOptions {
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

/** Says how large machines of a template are, which the cluster autoscaler wants to know before it makes the first one. */
export function createDevMachineTemplateController(options: DevMachineTemplateControllerOptions): Controller {
  return createController({
    ...options,
    name: 'devmachinetemplate',
    for: devMachineTemplates,
    async reconcile(key, { sources, client, signal }) {
      const template = sources.sourceFor(devMachineTemplates).get(key);
      if (template === undefined || template.spec?.template.spec.backend.inMemory === undefined) return done();
      const { cpu, memory } = nodeCapacity;
      const after = edit(template, (draft) => {
        draft.status = { ...draft.status, capacity: { cpu, memory } };
      });
      await patchObject(client, devMachineTemplates, template, after, { signal });
      return done();
    },
  });
}
