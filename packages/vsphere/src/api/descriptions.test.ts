import { fieldsWithoutDescription } from '@slipway/kube/kit';
import { expect, it } from 'vitest';
import { platformKinds, vsphereKinds } from './index.js';

const versions = [...vsphereKinds, ...platformKinds].flatMap((kind) =>
  [...kind.schemas].map(([version, schema]) => ({ name: `${kind.kind}.${version}.${kind.group}`, schema })),
);

it.each(versions)('describes every field of $name', ({ schema }) => {
  expect(fieldsWithoutDescription(schema)).toEqual([]);
});
