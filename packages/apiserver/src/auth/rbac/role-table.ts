import type { AccessRequest } from '../../contract/index.js';
import { type PolicyRule, ruleAllows } from './policy-rule.js';

/** Indexes the rules of one role, so that a request checks only rules that may match. */
export class RoleTable {
  readonly #byResource = new Map<string, PolicyRule[]>();
  readonly #anyResource: PolicyRule[] = [];
  readonly #urls: PolicyRule[] = [];

  constructor(readonly rules: readonly PolicyRule[]) {
    for (const rule of rules) {
      if (rule.nonResourceURLs !== undefined) this.#urls.push(rule);
      if (rule.resources !== undefined) this.#addResources(rule, rule.resources);
    }
  }

  allows(request: AccessRequest): boolean {
    const { resource } = request;
    if (resource === undefined) return anyAllows(this.#urls, request);
    const key = resource.subresource === '' ? resource.resource : `${resource.resource}/${resource.subresource}`;
    const exact = this.#byResource.get(key);
    return (exact !== undefined && anyAllows(exact, request)) || anyAllows(this.#anyResource, request);
  }

  #addResources(rule: PolicyRule, resources: readonly string[]): void {
    if (resources.some((resource) => resource === '*' || resource.startsWith('*/'))) this.#anyResource.push(rule);
    for (const resource of resources) {
      const known = this.#byResource.get(resource);
      if (known === undefined) this.#byResource.set(resource, [rule]);
      else known.push(rule);
    }
  }
}

function anyAllows(rules: readonly PolicyRule[], request: AccessRequest): boolean {
  for (const rule of rules) if (ruleAllows(rule, request)) return true;
  return false;
}
