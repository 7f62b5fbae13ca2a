import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { AnyIndex } from '@slipway/runtime';
import type { ObjectReference } from '../contract/index.js';

/** The common fields of MachineSets, MachineDeployments and MachinePools. */
interface HasMachineTemplate {
  readonly spec?: {
    readonly template?: {
      readonly spec?: {
        readonly bootstrap?: { readonly configRef?: ObjectReference };
        readonly infrastructureRef?: ObjectReference;
      };
    };
  };
}

const templateSuffix = /Template$/;

export function isTemplateReference(reference: ObjectReference): boolean {
  return templateSuffix.test(reference.kind);
}

/** Returns the index key of a template: `namespace/group/Kind/name`. */
function textOf(namespace: string | undefined, { apiGroup, kind, name }: ObjectReference): string {
  return `${namespace ?? ''}/${apiGroup}/${kind}/${name}`;
}

export function templateText(template: Frozen<KubeObject>): string {
  const { group } = parseApiVersion(template.apiVersion);
  const { namespace, name = '' } = template.metadata;
  return textOf(namespace, { apiGroup: group, kind: template.kind, name });
}

/** Indexes objects by the templates of their machines. */
export const templateIndex: AnyIndex = {
  name: 'machine templates',
  valuesOf: (object) => {
    const { bootstrap, infrastructureRef } = (object as HasMachineTemplate).spec?.template?.spec ?? {};
    return [bootstrap?.configRef, infrastructureRef]
      .filter((reference) => reference !== undefined)
      .map((reference) => textOf(object.metadata.namespace, reference));
  },
};
