import type { MutableJsonObject, Schema } from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { requiredMembersOf } from './required-members.js';

const item: Schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        template: { type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] },
        items: { type: 'array', items: item },
        byName: { type: 'object', additionalProperties: item },
      },
      required: ['template', 'items'],
    },
    status: { type: 'object', properties: { phase: { type: 'string' } }, required: ['phase'] },
  },
  required: ['spec'],
};
const required = requiredMembersOf(schema);

describe('requiredMembersOf', () => {
  const rows: readonly { name: string; given: MutableJsonObject; then: MutableJsonObject }[] = [
    { name: 'missing objects and lists', given: {}, then: { spec: { template: { size: 0 }, items: [] } } },
    {
      name: 'members of items and of map values',
      given: { spec: { template: { size: 1 }, items: [{}], byName: { a: {} } } },
      then: { spec: { template: { size: 1 }, items: [{ name: '' }], byName: { a: { name: '' } } } },
    },
    {
      name: 'adds nothing in absent optional branches and in values of another type',
      given: { spec: { template: 'text', items: [] } },
      then: { spec: { template: 'text', items: [] } },
    },
  ];
  it.each(rows)('completes $name, and removes the additions again', ({ given, then }) => {
    const object = structuredClone(given);
    expect(required.isComplete(object)).toBe(JSON.stringify(given) === JSON.stringify(then));
    const takeAway = required.complete(object);
    expect(object).toEqual(then);
    expect(required.isComplete(object)).toBe(true);
    takeAway();
    expect(object).toEqual(given);
  });

  it('keeps members that were set meanwhile', () => {
    const object: MutableJsonObject = {};
    const takeAway = required.complete(object);
    (object['spec'] as { template: { size: number } }).template.size = 3;
    takeAway();
    expect(object).toEqual({ spec: { template: { size: 3 } } });
  });
});
