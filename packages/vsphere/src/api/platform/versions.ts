import type { Fields, PrinterColumn } from '@slipway/kube/kit';

/** The supported versions of the VM Operator API. The flag --vm-operator-api-version chooses one. */
export const vmOperatorVersions = ['v1alpha2', 'v1alpha5', 'v1alpha6'] as const;
export type VmOperatorVersion = (typeof vmOperatorVersions)[number];

export const vmOperatorGroup = 'vmoperator.vmware.com';

interface Declaration<F extends Fields> {
  readonly description: string;
  readonly schema: F;
  readonly columns?: readonly PrinterColumn[];
}

/**
 * Declares at each version the fields of a VM Operator kind that the controllers read and write. Unknown fields are
 * preserved. These CRDs are installed only on a control plane that simulates a Supervisor; a real one brings its own.
 */
export function vmOperatorVersionsOf<const F extends Fields>({ description, schema, columns = [] }: Declaration<F>) {
  const common = { served: true, description, schema, columns, subresources: { status: true } } as const;
  return [
    { name: 'v1alpha2', storage: false, ...common },
    { name: 'v1alpha5', storage: true, ...common },
    { name: 'v1alpha6', storage: false, ...common },
  ] as const;
}
