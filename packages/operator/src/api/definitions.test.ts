import { readFileSync } from 'node:fs';
import {
  checkRules,
  cloneJson,
  type CustomResourceDefinition,
  defaultCustomResourceDefinition,
  describeDefinition,
  toCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import { operatorKinds } from './index.js';

describe('CRDs', () => {
  it.each(operatorKinds.map((kind) => [kind.kind, kind] as const))(
    '%s has exactly the fields of upstream',
    (_, kind) => {
      const fixture = new URL(`../../test/fixtures/${kind.plural}.txt`, import.meta.url);
      expect(describeDefinition(toCustomResourceDefinition(kind))).toBe(readFileSync(fixture, 'utf8'));
    },
  );

  it.each(operatorKinds.map((kind) => [kind.kind, kind] as const))('%s can be installed', (_, kind) => {
    const definition = cloneJson(toCustomResourceDefinition(kind)) as CustomResourceDefinition;
    defaultCustomResourceDefinition(definition);
    expect(validateCustomResourceDefinition(definition, { checkRules })).toEqual([]);
  });
});
