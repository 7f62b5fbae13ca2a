import { ifPresent, type ReconcileContext, ReconcileError, secrets } from '@slipway/runtime';
import type { BootstrapFormat } from '../guest/user-data.js';
import type { CloneRequest } from './clone-plan.js';
import type { ObservedVm } from './vm-spec.js';

/** The data that a machine is to start with. It goes into the machine and nowhere else. */
export async function readBootstrap(
  { client, signal }: Pick<ReconcileContext, 'client' | 'signal'>,
  vm: ObservedVm,
): Promise<CloneRequest['bootstrap']> {
  const name = vm.spec.bootstrapRef?.name;
  // Machines that people make by hand may have none.
  if (name === undefined) return { data: Buffer.alloc(0), format: 'cloud-config' };
  const secret = await ifPresent(client.get(secrets, { namespace: vm.metadata.namespace ?? '', name }, { signal }));
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
      `Secret ${name} has bootstrap data in the unknown format ${format}`,
      {
        retry: 'onChange',
        remedy: 'cloud-config and ignition are known',
      },
    );
  }
  return { data: Buffer.from(value, 'base64'), format: format satisfies BootstrapFormat };
}
