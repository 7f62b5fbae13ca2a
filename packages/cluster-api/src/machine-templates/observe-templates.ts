import type { Frozen, KubeObject } from '@slipway/kube';
import { keyOf, type ReconcileContext, ReconcileError, type Resource } from '@slipway/runtime';
import type { Machine } from '../api/index.js';
import { type ObjectReference, type ProviderKind, resolveKind } from '../contract/index.js';
import type { MissingTemplates } from '../machines/index.js';
import { isTemplateReference, templateIndex, templateText } from './template-index.js';

/** The bootstrap or the infrastructure template of machines. */
export interface ObservedMachineTemplate {
  readonly reference: ObjectReference;
  /** Undefined if the CRD of the template is not installed. */
  readonly kind: ProviderKind | undefined;
  readonly object: Frozen<KubeObject> | undefined;
  /** Why the lookup failed. */
  readonly problem: Error | undefined;
}

export interface MachineTemplates {
  /** Undefined if machines get their bootstrap data without a template. */
  readonly bootstrap: ObservedMachineTemplate | undefined;
  readonly infrastructure: ObservedMachineTemplate | undefined;
}

interface Refers {
  readonly metadata: Frozen<KubeObject>['metadata'];
  readonly spec: {
    readonly template: { readonly spec: Pick<Frozen<Machine>['spec'], 'bootstrap' | 'infrastructureRef'> };
  };
}

/**
 * Reads the templates of a MachineSet or MachineDeployment. A missing template is recorded instead of thrown: `owner` is enqueued
 * when it is created.
 */
export async function observeTemplates<T extends KubeObject>(
  context: Pick<ReconcileContext, 'sources' | 'follow'>,
  owner: Resource<T>,
  { metadata, spec }: Refers,
): Promise<MachineTemplates> {
  const { bootstrap, infrastructureRef } = spec.template.spec;
  const namespace = metadata.namespace ?? '';
  const observe = (reference: ObjectReference | undefined): Promise<ObservedMachineTemplate | undefined> =>
    observeTemplate(context, owner, namespace, reference);
  return { bootstrap: await observe(bootstrap.configRef), infrastructure: await observe(infrastructureRef) };
}

async function observeTemplate(
  context: Pick<ReconcileContext, 'sources' | 'follow'>,
  owner: Resource,
  namespace: string,
  reference: ObjectReference | undefined,
): Promise<ObservedMachineTemplate | undefined> {
  // A reference to an object that is not a template is used unchanged.
  if (reference === undefined || !isTemplateReference(reference)) return undefined;
  try {
    const kind = resolveKind(context.sources, reference);
    const users = context.sources.sourceFor(owner);
    const source = await context.follow({
      resource: kind.resource,
      map: (template) => users.byIndex(templateIndex, templateText(template)).map(keyOf),
    });
    return { reference, kind, object: source.get({ namespace, name: reference.name }), problem: undefined };
  } catch (error) {
    if (!(error instanceof ReconcileError)) throw error;
    return { reference, kind: undefined, object: undefined, problem: error };
  }
}

export function missingTemplates({ bootstrap, infrastructure }: MachineTemplates): MissingTemplates {
  const missing = (template: ObservedMachineTemplate | undefined): string | undefined =>
    template === undefined || template.object !== undefined ? undefined : template.reference.kind;
  const [first, second] = [missing(bootstrap), missing(infrastructure)];
  return {
    ...(first === undefined ? {} : { bootstrap: first }),
    ...(second === undefined ? {} : { infrastructure: second }),
  };
}
