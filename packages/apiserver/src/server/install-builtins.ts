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
import { type Access, guardRbacDefinitions } from '../auth/index.js';
import { type BuiltinHooks, builtinDefinitions, type CustomResourceHooks, ServiceNetwork } from '../kinds/index.js';
import type { ResourceRegistry } from '../registry/index.js';
import type { Store } from '../contract/index.js';
import { podHooks } from './pod-operations.js';

export interface BuiltinDependencies {
  readonly registry: ResourceRegistry;
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly access: Access;
  readonly serviceRange: string;
}

/** Registers all built-in kinds and connects them to the parts of the server that they depend on. */
export function installBuiltins(dependencies: BuiltinDependencies): ServiceNetwork {
  const { registry, store, clock, random, access } = dependencies;
  const serviceNetwork = new ServiceNetwork({
    clusterRange: dependencies.serviceRange,
    nodePorts: { first: 30_000, last: 32_767 },
    services: () => store.list({ resource: 'services' }).map((stored) => stored.object),
    random,
  });
  const hooks: BuiltinHooks = {
    serviceAccountToken: access.tokenRequest,
    reviews: access.reviews,
    certificates: access.signingRequests,
    customResources: customResourceHooks,
    pods: podHooks(store, registry, clock),
    serviceNetwork,
  };
  for (const definition of guardRbacDefinitions(builtinDefinitions(hooks), access.escalationHooks)) {
    registry.install(definition);
  }
  return serviceNetwork;
}

const checks = { checkRules, rules: { evaluate: evaluateRules } };

const customResourceHooks: CustomResourceHooks = {
  defaults: (definition) => defaultCustomResourceDefinition(typed(definition)),
  validateCreate: (definition) => validateCustomResourceDefinition(typed(definition), checks),
  validateUpdate: (definition, old) => validateCustomResourceDefinitionUpdate(typed(definition), typed(old), checks),
  validateStatus: (definition) => validateCustomResourceDefinitionStatus(typed(definition)),
};

/** Casts the object of a hook to a CRD: built-in objects are decoded by type before any hook runs. */
function typed(definition: object): CustomResourceDefinition {
  return definition as CustomResourceDefinition;
}
