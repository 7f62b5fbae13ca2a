import {
  confirmWanted,
  ifPresent,
  type Outcome,
  type ReconcileContext,
  ReconcileError,
  secrets,
  wait,
} from '@slipway/runtime';
import { vsphereVms } from '../../api/index.js';
import type { BootstrapFormat } from '../guest/user-data.js';
import { type CloneRequest, planClone } from './clone-plan.js';
import { resolvePlacement } from './resolve-placement.js';
import { callVCenter, recordTask, type VmScope } from './vm-scope.js';
import type { ObservedVm } from './vm-spec.js';

/**
 * Starts a clone. A crash after the call and before the task is recorded creates no second VM: the next reconcile finds the VM by
 * its instance UUID, or vCenter rejects the name as taken.
 */
export async function cloneVm(scope: VmScope): Promise<Outcome> {
  const { report, session, finder, context, options } = scope;
  const { vm } = report;
  await confirmWanted(context, vsphereVms, vm);
  if (!report.hasProvisionedCondition) report.provisioned({ status: 'False', reason: 'WaitingForClone' });
  const { about } = await session.soap.content(options);
  if (about.apiType !== 'VirtualCenter')
    throw new Error(`cloning requires a vCenter, but the server reports apiType ${about.apiType}`);
  const bootstrap = await readBootstrap(context, vm);
  const placement = await resolvePlacement(vm.spec, { session, finder, random: context.random, options });
  const { clone, mode } = planClone({ spec: vm.spec, uid: vm.metadata.uid ?? '', bootstrap }, placement);
  const name = vm.metadata.name ?? '';
  const parameters = { folder: placement.folder, name, spec: clone };
  const task = await callVCenter(scope, {
    action: 'clone VM',
    reason: 'Cloning',
    message: `Cloning ${vm.spec.template} to VM ${name} (${mode})`,
    run: () => session.soap.call('CloneVM_Task', placement.template, parameters, options),
  });
  report.provisioned({ status: 'False', reason: 'WaitingForClone' });
  report.editStatus((status) => {
    status.cloneMode = mode;
    if (placement.snapshot === undefined) delete status.snapshot;
    else status.snapshot = placement.snapshot.value;
  });
  await recordTask(scope, task);
  return wait({ reason: 'WaitingForClone', message: `Waiting for vCenter to clone ${vm.spec.template}` });
}

/** Reads the bootstrap data, which must not be logged or stored. */
async function readBootstrap(
  { read, signal }: Pick<ReconcileContext, 'read' | 'signal'>,
  vm: ObservedVm,
): Promise<CloneRequest['bootstrap']> {
  const name = vm.spec.bootstrapRef?.name;
  // A VSphereVM that a user created may have no bootstrap data.
  if (name === undefined) return { data: Buffer.alloc(0), format: 'cloud-config' };
  const secret = await ifPresent(read.get(secrets, { namespace: vm.metadata.namespace ?? '', name }, { signal }));
  const value = secret?.data?.['value'];
  if (value === undefined) {
    const what = secret === undefined ? 'not found' : 'has no key value';
    throw new ReconcileError('BootstrapDataMissing', `Secret ${name} with the bootstrap data ${what}`, {
      retry: 'later',
    });
  }
  const format = Buffer.from(secret?.data?.['format'] ?? '', 'base64').toString('utf8') || 'cloud-config';
  if (format !== 'cloud-config' && format !== 'ignition') {
    throw new ReconcileError(
      'UnknownBootstrapFormat',
      `unsupported format ${format} of the bootstrap data in Secret ${name}`,
      {
        retry: 'onChange',
        remedy: 'use cloud-config or ignition',
      },
    );
  }
  return { data: Buffer.from(value, 'base64'), format: format satisfies BootstrapFormat };
}
