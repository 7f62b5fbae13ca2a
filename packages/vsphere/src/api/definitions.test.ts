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
import { supervisorKinds, vcenterKinds } from './kinds.js';
import { haproxyLoadBalancer } from './vcenter/index.js';

const kinds = [
  ...vcenterKinds.map((kind) => ({ mode: 'vcenter', name: kind.kind, kind })),
  ...supervisorKinds.map((kind) => ({ mode: 'supervisor', name: kind.kind, kind })),
];

function fixture(mode: string, kind: Kind): string {
  return readFileSync(new URL(`../../test/fixtures/${mode}/${kind.plural}.txt`, import.meta.url), 'utf8');
}

// Upstream does not serve the status of a ProviderServiceAccount.
const ownLines = new Set(['status\tobject', 'status.errorMsg\tstring', 'status.ready\tboolean']);

function described(kind: Kind): string {
  const text = describeDefinition(toCustomResourceDefinition(kind));
  if (kind.kind !== 'ProviderServiceAccount') return text;
  return text
    .split('\n')
    .filter((line) => !ownLines.has(line))
    .join('\n');
}

describe('CRDs', () => {
  // Upstream no longer serves this kind.
  const served = kinds.filter(({ kind }) => kind !== haproxyLoadBalancer);

  it.each(served)('$mode: $name has exactly the fields of upstream', ({ mode, kind }) => {
    expect(described(kind)).toBe(fixture(mode, kind));
  });

  it.each(kinds)('$mode: $name can be installed', ({ kind }) => {
    const definition = cloneJson(toCustomResourceDefinition(kind)) as CustomResourceDefinition;
    defaultCustomResourceDefinition(definition);
    expect(validateCustomResourceDefinition(definition, { checkRules })).toEqual([]);
  });

  it('distinguishes the two API groups, whose kinds share names [vsphere 60]', () => {
    const ids = kinds.map(({ kind }) => `${kind.plural}.${kind.group}`);
    expect(new Set(ids).size).toBe(kinds.length);
  });
});
