import type { Clock, Random } from '@slipway/base';
import {
  checkRules,
  type CustomResourceDefinition,
  defaultCustomResourceDefinition,
  evaluateRules,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionStatus,
  validateCustomResourceDefinitionUpdate,
} from '@slipway/kube';
import {
  createEscalationHooks,
  createLocalSubjectAccessReview,
  createSelfSubjectAccessReview,
  createSelfSubjectReview,
  createSelfSubjectRulesReview,
  createSigningRequestStrategies,
  createSubjectAccessReview,
  createTokenRequest,
  createTokenReview,
  type EscalationHooks,
} from '../auth/index.js';
import {
  type BuiltinHooks,
  builtinDefinitions,
  type CustomResourceHooks,
  type ReviewHooks,
  ServiceNetwork,
} from '../builtins/index.js';
import type { ResourceDefinition, ResourceRegistry, WriteStrategy } from '../registry/index.js';
import type { Store } from '../storage/index.js';
import type { Access } from './access.js';
import { podHooks } from './pod-operations.js';

export interface BuiltinWorld {
  readonly registry: ResourceRegistry;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly access: Access;
  readonly issuer: string;
  readonly serviceRange: string;
}

/** Serves every built-in kind, with what each borrows from the rest of the server. */
export function installBuiltins(world: BuiltinWorld): ServiceNetwork {
  const { registry, store, clock, random, access, issuer } = world;
  const serviceNetwork = new ServiceNetwork({
    clusterRange: world.serviceRange,
    nodePorts: { first: 30_000, last: 32_767 },
    services: () => store.list({ resource: 'services' }).map((stored) => stored.object),
    random,
  });
  const hooks: BuiltinHooks = {
    serviceAccountToken: createTokenRequest({
      store,
      clock,
      random,
      keys: access.keys,
      issuer,
      audiences: access.audiences,
    }),
    reviews: reviewHooks(world),
    certificates: createSigningRequestStrategies(),
    customResources: customResourceHooks,
    pods: podHooks(store, registry, clock),
    serviceNetwork,
  };
  const escalation = createEscalationHooks({ authorizer: access.authorizer, index: access.index });
  for (const definition of builtinDefinitions(hooks)) {
    registry.install(withEscalation(definition, escalation[definition.plural as keyof typeof escalation]));
  }
  return serviceNetwork;
}

function reviewHooks({ access, clock }: BuiltinWorld): ReviewHooks {
  return {
    tokenReview: createTokenReview(access.tokens, access.audiences),
    selfSubjectReview: createSelfSubjectReview(clock),
    subjectAccessReview: createSubjectAccessReview(access.authorizer),
    localSubjectAccessReview: createLocalSubjectAccessReview(access.authorizer),
    selfSubjectAccessReview: createSelfSubjectAccessReview(access.authorizer),
    selfSubjectRulesReview: createSelfSubjectRulesReview(access.index),
  };
}

const checks = { checkRules, rules: { evaluate: evaluateRules } };

const customResourceHooks: CustomResourceHooks = {
  defaults: (definition) => defaultCustomResourceDefinition(typed(definition)),
  validateCreate: (definition) => validateCustomResourceDefinition(typed(definition), checks),
  validateUpdate: (definition, old) => validateCustomResourceDefinitionUpdate(typed(definition), typed(old), checks),
  validateStatus: (definition) => validateCustomResourceDefinitionStatus(typed(definition)),
};

/** Built-in objects pass typed decoding before any hook sees them. */
function typed(definition: object): CustomResourceDefinition {
  return definition as CustomResourceDefinition;
}

/** Role kinds refuse escalation before they look at anything else. */
function withEscalation(definition: ResourceDefinition, hooks: EscalationHooks | undefined): ResourceDefinition {
  if (hooks === undefined || definition.group !== 'rbac.authorization.k8s.io') return definition;
  const { strategy } = definition;
  const guarded: WriteStrategy = {
    ...strategy,
    async prepareForCreate(object, context) {
      await hooks.prepareForCreate?.(object, context);
      await strategy.prepareForCreate?.(object, context);
    },
    async prepareForUpdate(object, old, context) {
      await hooks.prepareForUpdate?.(object, old, context);
      await strategy.prepareForUpdate?.(object, old, context);
    },
  };
  return { ...definition, strategy: guarded };
}
