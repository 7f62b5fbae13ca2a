import { readFileSync } from 'node:fs';
import {
  checkRules,
  cloneJson,
  type CustomResourceDefinition,
  defaultCustomResourceDefinition,
  describeDefinition,
  type Kind,
  toCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@slipway/kube';
import { describe, expect, it } from 'vitest';
import * as api from './index.js';

const kinds: readonly Kind[] = [
  api.devCluster,
  api.devClusterTemplate,
  api.devMachine,
  api.devMachinePool,
  api.devMachinePoolTemplate,
  api.devMachineTemplate,
];

function fixture(plural: string): string {
  return readFileSync(new URL(`../../test/fixtures/${plural}.txt`, import.meta.url), 'utf8');
}

describe('CRDs', () => {
  it.each(kinds.map((kind) => [kind.kind, kind] as const))('%s has exactly the fields of upstream', (_, kind) => {
    expect(describeDefinition(toCustomResourceDefinition(kind))).toBe(fixture(kind.plural));
  });

  it.each(kinds.map((kind) => [kind.kind, kind] as const))('%s can be installed', (_, kind) => {
    const definition = cloneJson(toCustomResourceDefinition(kind)) as CustomResourceDefinition;
    defaultCustomResourceDefinition(definition);
    expect(validateCustomResourceDefinition(definition, { checkRules })).toEqual([]);
  });
});
