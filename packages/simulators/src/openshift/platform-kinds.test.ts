import { fieldsWithoutDescription } from '@slipway/kube/kit';
import { platforms } from '@slipway/openshift';
import { describe, expect, it } from 'vitest';
import { simulatedKinds } from './platform-kinds.js';

const served = platforms.flatMap((platform) =>
  simulatedKinds(platform).flatMap((kind) =>
    [...kind.schemas].map(([version, schema]) => [kind.kind, version, schema] as const),
  ),
);

describe('field descriptions', () => {
  it.each(served)('describes every field of %s %s', (_kind, _version, schema) => {
    expect(fieldsWithoutDescription(schema)).toEqual([]);
  });
});
