import { confirmWanted, type Outcome, wait } from '@slipway/runtime';
import { vsphereVms } from '../../api/index.js';
import { planClone } from './clone-plan.js';
import { readBootstrap } from './read-bootstrap.js';
import { resolvePlacement } from './resolve-placement.js';
import { beginTask, type VmPass } from './vm-pass.js';

/**
 * Begins a clone. A crash between the call and the note of its task makes no second machine: the next pass finds this one by
 * its instance UUID, or is told by vCenter that the name is taken.
 */
export async function cloneVm(pass: VmPass): Promise<Outcome> {
  const { report, session, finder, context, options } = pass;
  const { vm } = report;
  await confirmWanted(context, vsphereVms, vm);
  if (!report.hasProvisionedCondition) report.provisioned({ status: 'False', reason: 'WaitingForClone' });
  const { about } = await session.soap.content(options);
  if (about.apiType !== 'VirtualCenter')
    throw new Error(`${about.apiType} is no vCenter: machines are cloned by vCenter only`);
  const bootstrap = await readBootstrap(context, vm);
  const placement = await resolvePlacement(vm.spec, { session, finder, random: context.random, options });
  const { clone, mode } = planClone({ spec: vm.spec, uid: vm.metadata.uid ?? '', bootstrap }, placement);
  const parameters = { folder: placement.folder, name: vm.metadata.name ?? '', spec: clone };
  context.logger.info({ template: vm.spec.template, mode }, 'Cloning virtual machine');
  context.check();
  const task = await session.soap.call('CloneVM_Task', placement.template, parameters, options);
  report.provisioned({ status: 'False', reason: 'WaitingForClone' });
  report.editStatus((status) => {
    status.cloneMode = mode;
    if (placement.snapshot === undefined) delete status.snapshot;
    else status.snapshot = placement.snapshot.value;
  });
  await beginTask(pass, task);
  return wait({ reason: 'WaitingForClone', message: `vCenter clones ${vm.spec.template}` });
}
