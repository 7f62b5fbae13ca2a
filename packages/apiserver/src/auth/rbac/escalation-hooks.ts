import { deepEqual, type Frozen, type KubeObject, recordAt } from '@slipway/kube';
import type { ResourceDefinition, WriteContext, WriteStrategy } from '../../contract/index.js';
import { readRoleRef } from './binding.js';
import { rbacGroup } from './rbac-index.js';
import { checkBinding, checkRoleEscalation, type EscalationWorld } from './escalation.js';

type EscalationHooks = Pick<WriteStrategy, 'prepareForCreate' | 'prepareForUpdate'>;

export interface RbacEscalationHooks {
  readonly roles: EscalationHooks;
  readonly clusterroles: EscalationHooks;
  readonly rolebindings: EscalationHooks;
  readonly clusterrolebindings: EscalationHooks;
}

/**
 * What the strategies of the four kinds run before validation: upstream refuses an escalation with 403 before it looks at
 * the object's other faults.
 */
export function createEscalationHooks(world: EscalationWorld): RbacEscalationHooks {
  return {
    roles: roleHooks(world, 'roles'),
    clusterroles: roleHooks(world, 'clusterroles'),
    rolebindings: bindingHooks(world, 'rolebindings'),
    clusterrolebindings: bindingHooks(world, 'clusterrolebindings'),
  };
}

function roleHooks(world: EscalationWorld, resource: 'roles' | 'clusterroles'): EscalationHooks {
  return {
    prepareForCreate(object, context): void {
      checkRoleEscalation(world, context.user, { resource, object }, context.requestName);
    },
    prepareForUpdate(object, old, context): void {
      if (changesOnlyOwnership(object, old)) return;
      checkRoleEscalation(world, context.user, { resource, object, old }, old.metadata.name ?? '');
    },
  };
}

function bindingHooks(world: EscalationWorld, resource: 'rolebindings' | 'clusterrolebindings'): EscalationHooks {
  const check = (object: KubeObject, context: WriteContext): void =>
    checkBinding(world, context.user, {
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

/** The garbage collector may touch owners and finalizers of roles whose rights it does not hold. */
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

/** The definitions of the RBAC kinds with the checks put before their own preparation; all others as they are. */
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
