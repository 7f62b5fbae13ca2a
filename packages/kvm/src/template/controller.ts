import type { Frozen } from '@slipway/kube';
import {
  type AnyPredicate,
  type Controller,
  createController,
  done,
  edit,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
} from '@slipway/runtime';
import { type KVMMachineTemplate, kvmMachineTemplates, machineSizeOf } from '../api/index.js';

/** Says what machines of a template have, for an autoscaler that has none of them to look at. */
export function createKVMMachineTemplateController(options: {
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}): Controller {
  return createController({ name: 'kvmmachinetemplate', for: kvmMachineTemplates, ...options, reconcile });
}

async function reconcile(key: ObjectKey, { sources, client, signal }: ReconcileContext): Promise<Outcome> {
  const template = sources.sourceFor(kvmMachineTemplates).get(key);
  if (template === undefined) return done();
  await patchObject(client, kvmMachineTemplates, template, withCapacity(template), { signal });
  return done();
}

function withCapacity(template: Frozen<KVMMachineTemplate>): Frozen<KVMMachineTemplate> {
  const { cpus, memoryMiB } = machineSizeOf(template.spec?.template.spec);
  return edit(template, (draft) => {
    draft.status ??= {};
    draft.status.capacity = { cpu: String(cpus), memory: `${memoryMiB}Mi` };
    draft.status.nodeInfo = { architecture: 'amd64', operatingSystem: 'linux' };
  });
}
