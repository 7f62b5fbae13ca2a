import { readFileSync } from 'node:fs';
import {
  checkRules,
  cloneJson,
  type CustomResourceDefinition,
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
} from '@slipway/kube';
import { describeDefinition, toCustomResourceDefinition } from '@slipway/kube/kit';
import { describe, expect, it } from 'vitest';
import { driverKinds } from './index.js';

// Fields that are required in the public operator and optional here: the default is all connections.
const relaxed: Readonly<Record<string, string>> = {
  'spec.storageProvider\tobject!': 'spec.storageProvider\tobject',
  'spec.storageProvider.vsphereCloudConfig\tstring!': 'spec.storageProvider.vsphereCloudConfig\tstring',
  'spec.storageProvider.fileVolumes.netPermissions[].permissions\tstring':
    'spec.storageProvider.fileVolumes.netPermissions[].permissions\tstring\tenum=READ_ONLY|READ_WRITE|NO_ACCESS',
};
/** Reduces a line to path and type: limits and list types may be added to the public API. */
const bare = (line: string): string => line.split('\t').slice(0, 2).join('\t');

describe('the kinds of the drivers', () => {
  it.each(driverKinds.map((kind) => ({ name: kind.kind, kind })))('$name has every public field', ({ kind }) => {
    const fixture = readFileSync(new URL(`../../test/fixtures/${kind.plural}.txt`, import.meta.url), 'utf8');
    const ours = new Set(describeDefinition(toCustomResourceDefinition(kind)).split('\n').map(bare));
    const desired = fixture
      .split('\n')
      .filter((line) => /^(spec|status)/.test(line))
      .map((line) => bare(relaxed[line] ?? line));
    expect(desired.filter((line) => !ours.has(line))).toEqual([]);
  });

  it.each(driverKinds.map((kind) => ({ name: kind.kind, kind })))('$name can be installed', ({ kind }) => {
    const definition = cloneJson(toCustomResourceDefinition(kind)) as CustomResourceDefinition;
    defaultCustomResourceDefinition(definition);
    expect(validateCustomResourceDefinition(definition, { checkRules })).toEqual([]);
  });
});
