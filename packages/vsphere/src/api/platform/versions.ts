import type { Fields, PrinterColumn } from '@slipway/kube/kit';

/** The versions of VM Operator's API that a Supervisor may be spoken to in; it says which at its installation. */
export const vmOperatorVersions = ['v1alpha2', 'v1alpha5', 'v1alpha6'] as const;
export type VmOperatorVersion = (typeof vmOperatorVersions)[number];

export const vmOperatorGroup = 'vmoperator.vmware.com';

interface Declaration<F extends Fields> {
  readonly description: string;
  readonly schema: F;
  readonly columns?: readonly PrinterColumn[];
}

/**
 * What we read and write of a kind of VM Operator, at each version. Whatever else a Supervisor knows of it is kept: these
 * declarations are installed only where nothing else brings the kind, on a plane that plays a Supervisor.
 */
export function vmOperatorVersionsOf<const F extends Fields>({ description, schema, columns = [] }: Declaration<F>) {
  const common = { served: true, description, schema, columns, subresources: { status: true } } as const;
  return [
    { name: 'v1alpha2', storage: false, ...common },
    { name: 'v1alpha5', storage: true, ...common },
    { name: 'v1alpha6', storage: false, ...common },
  ] as const;
}
