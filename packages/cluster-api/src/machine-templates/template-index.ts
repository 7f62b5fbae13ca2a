import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { AnyIndex } from '@slipway/runtime';
import type { ObjectReference } from '../contract/index.js';

/** What MachineSets, MachineDeployments and MachinePools have in common. */
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

/** `namespace/group/Kind/name`: where an object that refers to a template is found by it. */
function textOf(namespace: string | undefined, { apiGroup, kind, name }: ObjectReference): string {
  return `${namespace ?? ''}/${apiGroup}/${kind}/${name}`;
}

export function templateText(template: Frozen<KubeObject>): string {
  const { group } = parseApiVersion(template.apiVersion);
  const { namespace, name = '' } = template.metadata;
  return textOf(namespace, { apiGroup: group, kind: template.kind, name });
}

/** Finds the objects whose machines are made from a template. */
export const templateIndex: AnyIndex = {
  name: 'machine templates',
  valuesOf: (object) => {
    const { bootstrap, infrastructureRef } = (object as HasMachineTemplate).spec?.template?.spec ?? {};
    return [bootstrap?.configRef, infrastructureRef]
      .filter((reference) => reference !== undefined)
      .map((reference) => textOf(object.metadata.namespace, reference));
  },
};
