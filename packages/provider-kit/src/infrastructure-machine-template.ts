import type { Frozen, KubeObject } from '@slipway/kube';
import { type Controller, type ControllerContext, createController, done, edit, type Resource } from '@slipway/runtime';

/** The fields of a machine template that supports scaling from zero. */
export type InfrastructureMachineTemplate = KubeObject & {
  status?: { capacity?: Record<string, string | number>; nodeInfo?: Readonly<Record<string, unknown>> };
};

export interface InfrastructureMachineTemplateDefinition<T extends InfrastructureMachineTemplate> {
  readonly name: string;
  readonly resource: Resource<T>;
  /** Returns the resources of a machine created from the template, as quantities. Undefined if they are unknown. */
  readonly capacityOf: (template: Frozen<T>) => Readonly<Record<string, string>> | undefined;
  /** The platform of the machines. Set it only if all of them have the same. */
  readonly nodeInfo?: { readonly architecture: string; readonly operatingSystem: 'linux' | 'windows' };
}

/**
 * Defines a controller that reports the capacity of machines before the first one exists. cluster-autoscaler needs the capacity
 * to scale from zero.
 */
export function defineInfrastructureMachineTemplate<T extends InfrastructureMachineTemplate>(
  { name, resource, capacityOf, nodeInfo }: InfrastructureMachineTemplateDefinition<T>,
  { concurrency, watchFilter }: Pick<ControllerContext, 'concurrency' | 'watchFilter'>,
): Controller {
  return createController({
    name,
    for: resource,
    concurrency,
    filter: watchFilter,
    async reconcile(key, context) {
      const template = context.sources.sourceFor(resource).get(key);
      const capacity = template === undefined ? undefined : capacityOf(template);
      if (template === undefined || capacity === undefined) return done();
      const after = edit(template as Frozen<InfrastructureMachineTemplate>, (draft) => {
        draft.status = { ...draft.status, capacity: { ...capacity }, ...(nodeInfo && { nodeInfo: { ...nodeInfo } }) };
      });
      await context.change({
        verb: 'status',
        resource,
        before: template,
        after: after as unknown as Frozen<T>,
        reason: 'CapacityKnown',
        message: 'Reported the capacity of machines created from this template',
      });
      return done();
    },
  });
}
