import type { Frozen, KubeObject } from '@slipway/kube';
import type { Machine } from '../api/index.js';
import type { ObjectReference } from '../contract/index.js';
import { isTemplateReference } from '../machine-templates/index.js';
import { isDeleting } from '../machines/index.js';

/** A MachineDeployment or a MachineSet, which references templates. */
export interface TemplateUser {
  readonly metadata: Frozen<KubeObject>['metadata'];
  readonly spec: {
    readonly template: { readonly spec: Pick<Frozen<Machine>['spec'], 'bootstrap' | 'infrastructureRef'> };
  };
}

/** Returns the templates of `gone` that no other object uses. Deleting objects are ignored: they create no more machines. */
export function templatesToDelete(gone: TemplateUser, others: readonly TemplateUser[]): ObjectReference[] {
  const inUse = new Set(
    others
      .filter((user) => !isDeleting(user))
      .flatMap(templatesOf)
      .map(textOf),
  );
  return templatesOf(gone).filter((reference) => !inUse.has(textOf(reference)));
}

function templatesOf({ spec }: TemplateUser): ObjectReference[] {
  const { bootstrap, infrastructureRef } = spec.template.spec;
  return [bootstrap.configRef, infrastructureRef].filter(
    (reference) => reference !== undefined && isTemplateReference(reference),
  ) as ObjectReference[];
}

function textOf({ apiGroup, kind, name }: ObjectReference): string {
  return `${kind}.${apiGroup}/${name}`;
}
