import { deepEqual, type Frozen, type KubeObject, recordAt } from '@slipway/kube';
import type { ResourceDefinition, WriteContext, WriteStrategy } from '../../contract/index.js';
import { readRoleRef } from './binding.js';
import { rbacGroup } from './rbac-index.js';
import { checkBinding, checkRoleEscalation, type EscalationDependencies } from './escalation.js';

type EscalationHooks = Pick<WriteStrategy, 'prepareForCreate' | 'prepareForUpdate'>;

export interface RbacEscalationHooks {
  readonly roles: EscalationHooks;
  readonly clusterroles: EscalationHooks;
  readonly rolebindings: EscalationHooks;
  readonly clusterrolebindings: EscalationHooks;
}

/**
 * Returns the escalation checks of the four RBAC kinds. Strategies run them before validation, because upstream rejects an
 * escalation with 403 before it validates the object.
 */
export function createEscalationHooks(dependencies: EscalationDependencies): RbacEscalationHooks {
  return {
    roles: roleHooks(dependencies, 'roles'),
    clusterroles: roleHooks(dependencies, 'clusterroles'),
    rolebindings: bindingHooks(dependencies, 'rolebindings'),
    clusterrolebindings: bindingHooks(dependencies, 'clusterrolebindings'),
  };
}

function roleHooks(dependencies: EscalationDependencies, resource: 'roles' | 'clusterroles'): EscalationHooks {
  return {
    prepareForCreate(object, context): void {
      checkRoleEscalation(dependencies, context.user, { resource, object }, context.requestName);
    },
    prepareForUpdate(object, old, context): void {
      if (changesOnlyOwnership(object, old)) return;
      checkRoleEscalation(dependencies, context.user, { resource, object, old }, old.metadata.name ?? '');
    },
  };
}

function bindingHooks(
  dependencies: EscalationDependencies,
  resource: 'rolebindings' | 'clusterrolebindings',
): EscalationHooks {
  const check = (object: KubeObject, context: WriteContext): void =>
    checkBinding(dependencies, context.user, {
      resource,
      name: object.metadata.name ?? '',
      namespace: object.metadata.namespace ?? '',
      roleRef: readRoleRef(object),
    });
  return {
    prepareForCreate: check,
    prepareForUpdate(object, old, context): void {
      if (!changesOnlyOwnership(object, old)) check(object, context);
    },
  };
}

/**
 * Whether the update changes ownerReferences or finalizers only. The garbage collector may do that on roles whose permissions it
 * does not hold.
 */
function changesOnlyOwnership(object: KubeObject, old: Frozen<KubeObject>): boolean {
  return deepEqual(withoutOwnership(object), withoutOwnership(old));
}

const ignored = {
  ownerReferences: undefined,
  finalizers: undefined,
  managedFields: undefined,
  resourceVersion: undefined,
};

function withoutOwnership(object: object): Record<string, unknown> {
  return { ...object, metadata: { ...recordAt(object, 'metadata'), ...ignored } };
}

/** Adds the escalation checks to the definitions of the RBAC kinds. Returns other definitions unchanged. */
export function guardRbacDefinitions(
  definitions: readonly ResourceDefinition[],
  hooks: RbacEscalationHooks,
): readonly ResourceDefinition[] {
  const byPlural = new Map<string, EscalationHooks>(Object.entries(hooks));
  return definitions.map((definition) => {
    const guard = definition.group === rbacGroup ? byPlural.get(definition.plural) : undefined;
    return guard === undefined ? definition : { ...definition, strategy: guarded(definition.strategy, guard) };
  });
}

function guarded(strategy: WriteStrategy, guard: EscalationHooks): WriteStrategy {
  return {
    ...strategy,
    async prepareForCreate(object, context): Promise<void> {
      await guard.prepareForCreate?.(object, context);
      await strategy.prepareForCreate?.(object, context);
    },
    async prepareForUpdate(object, old, context): Promise<void> {
      await guard.prepareForUpdate?.(object, old, context);
      await strategy.prepareForUpdate?.(object, old, context);
    },
  };
}
