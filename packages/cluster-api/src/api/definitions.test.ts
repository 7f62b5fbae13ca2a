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
import { clusterApiKinds } from './index.js';

/** Kinds of this project that upstream ships in a separate IPAM provider. */
const ownKinds = ['InClusterIPPool', 'GlobalInClusterIPPool'];
const kinds: readonly Kind[] = clusterApiKinds.filter(({ kind }) => !ownKinds.includes(kind));

function fixture(plural: string): string {
  return readFileSync(new URL(`../../test/fixtures/${plural}.txt`, import.meta.url), 'utf8');
}

describe('CRDs', () => {
  it.each(kinds.map((kind) => [kind.kind, kind] as const))('%s has exactly the fields of upstream', (_, kind) => {
    expect(describeDefinition(toCustomResourceDefinition(kind))).toBe(fixture(kind.plural));
  });

  it.each(clusterApiKinds.map((kind) => [kind.kind, kind] as const))('%s can be installed', (_, kind) => {
    const definition = cloneJson(toCustomResourceDefinition(kind)) as CustomResourceDefinition;
    defaultCustomResourceDefinition(definition);
    expect(validateCustomResourceDefinition(definition, { checkRules })).toEqual([]);
  });
});
