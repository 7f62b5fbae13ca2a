import { fieldsWithoutDescription } from '@slipway/kube/kit';
import { describe, expect, it } from 'vitest';
import { clusterApiKinds } from './kinds.js';

const served = clusterApiKinds.flatMap((kind) =>
  kind.declaration.versions.filter((version) => version.served).map(({ name }) => [kind.kind, name, kind] as const),
);

describe('field descriptions', () => {
  it.each(served)('%s %s describes every field', (_kind, version, kind) => {
    const schema = kind.schemas.get(version);
    expect(schema === undefined ? [version] : fieldsWithoutDescription(schema)).toEqual([]);
  });
});
