import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Equivalents } from './equivalents.js';
import { compileRule, ruleMatches } from './rule.js';
import { RuleIndex } from './rule-index.js';
import { testRequest } from './test-support.js';

const equivalents = new Equivalents({ definition: () => undefined, definitions: () => [], generation: 1 });

const part = (...values: string[]): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...values), { minLength: 1 });
const rules = fc.record({
  operations: part('*', 'CREATE', 'UPDATE', 'DELETE'),
  apiGroups: part('*', '', 'apps', '__proto__'),
  apiVersions: part('*', 'v1', 'v2'),
  resources: part('*', '*/*', 'pods', 'pods/*', 'pods/status', '*/scale', 'constructor'),
  scope: fc.constantFrom('*', 'Cluster', 'Namespaced'),
});
const requests = fc
  .record({
    operation: fc.constantFrom('CREATE', 'UPDATE', 'DELETE'),
    group: fc.constantFrom('', 'apps', '__proto__'),
    version: fc.constantFrom('v1', 'v2'),
    resource: fc.constantFrom('pods', 'deployments', 'constructor', 'namespaces'),
    subresource: fc.constantFrom('', 'status', 'scale'),
    namespace: fc.constantFrom('', 'default'),
  })
  .map(({ operation, group, version, resource, subresource, namespace }) =>
    testRequest({
      operation: operation as 'CREATE',
      resource: { group, version, resource },
      subresource,
      namespace,
    }),
  );

describe('RuleIndex', () => {
  it('finds all matching entries in order and caches the result', () => {
    fc.assert(
      fc.property(fc.array(rules, { maxLength: 8 }), fc.array(requests, { maxLength: 8 }), (all, sent) => {
        const entries = all.map((rule) => ({ match: { rules: [compileRule(rule)], equivalent: true } }));
        const index = new RuleIndex(entries, equivalents);
        for (const request of [...sent, ...sent]) {
          const candidates = index.candidates(request);
          const matching = entries.filter(({ match }) =>
            match.rules.some((rule) => ruleMatches(rule, request, request.resource)),
          );
          expect(candidates.filter((one) => matching.includes(one))).toEqual(matching);
          expect(entries.filter((one) => candidates.includes(one))).toEqual(candidates);
        }
      }),
    );
  });
});
