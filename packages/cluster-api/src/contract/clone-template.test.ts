import { describe, expect, it } from 'vitest';
import { cloneTemplate } from './clone-template.js';

const options = { name: 'a', namespace: 'clusters', clusterName: 'c' };
const template = (spec?: object) => ({
  apiVersion: 'infrastructure.example.com/v1',
  kind: 'InfraTemplate',
  metadata: { name: 'template', namespace: 'clusters' },
  ...(spec === undefined ? {} : { spec }),
});

describe('an object of a template', () => {
  it.each([
    { name: 'has the spec of the template', spec: { template: { spec: { size: 3 } } }, then: { size: 3 } },
    {
      name: 'has no spec if the template has none',
      spec: { template: { metadata: { labels: { a: 'b' } } } },
      then: undefined,
    },
    { name: 'has no spec if that of the template is empty', spec: undefined, then: undefined },
  ])('$name', ({ spec, then }) => {
    const made = cloneTemplate(template(spec), options);
    expect(made.kind).toBe('Infra');
    expect(Object.hasOwn(made, 'spec') ? made['spec'] : undefined).toEqual(then);
    expect(Object.hasOwn(made, 'spec')).toBe(then !== undefined);
  });
});
