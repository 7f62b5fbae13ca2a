import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CustomResourceDefinition, Schema } from '@slipway/kube';
import { fieldsWithoutDescription } from '@slipway/kube/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { killPlanes, type Plane, startPlane } from './support/command.js';
import { kubeRequest } from './support/kube-request.js';

const folder = mkdtempSync(join(tmpdir(), 'slipway-descriptions-'));
let plane: Plane;
beforeAll(async () => {
  plane = await startPlane(join(folder, 'data'));
});
afterAll(async () => {
  await killPlanes();
  rmSync(folder, { recursive: true });
});

/** Counts the fields at every depth, including those of list items and map values. */
function countFields(schema: Schema): number {
  const fields = Object.values(schema.properties ?? {});
  const { items, additionalProperties: values } = schema;
  const inner = [...fields, ...(items ? [items] : []), ...(typeof values === 'object' ? [values] : [])];
  return inner.reduce((count, each) => count + countFields(each), fields.length);
}

it('describes every field of every CRD that `slipway up` serves', async () => {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { body } = await kubeRequest(plane.kubeconfig, 'GET', path);
  const definitions = body['items'] as unknown as readonly CustomResourceDefinition[];
  expect(definitions.length).toBeGreaterThan(30);

  let count = 0;
  const missing: string[] = [];
  for (const { metadata, spec } of definitions) {
    for (const version of spec.versions.filter(({ served }) => served)) {
      const schema = version.schema?.openAPIV3Schema ?? {};
      count += countFields(schema);
      for (const field of fieldsWithoutDescription(schema))
        missing.push(`${metadata.name ?? ''} ${version.name} ${field}`);
    }
  }
  console.info(`${count - missing.length} of ${count} fields of ${definitions.length} CRDs are described`);
  expect(missing).toEqual([]);
});

it('describes every field in the OpenAPI documents of the CRDs, which `kubectl explain` shows', async () => {
  const { body: index } = await kubeRequest(plane.kubeconfig, 'GET', '/openapi/v3');
  const documents = Object.entries(index['paths'] as Record<string, { readonly serverRelativeURL: string }>);
  const missing: string[] = [];
  for (const [path, { serverRelativeURL }] of documents.filter(([name]) => name.includes('x-k8s.io/'))) {
    const { body } = await kubeRequest(plane.kubeconfig, 'GET', serverRelativeURL);
    const { schemas } = body['components'] as { readonly schemas: Record<string, Schema> };
    for (const [name, schema] of Object.entries(schemas).filter(([each]) => each.startsWith('io.x-k8s.'))) {
      const fields = fieldsWithoutDescription(schema);
      const metadata = schema.properties?.['metadata']?.description === undefined ? ['metadata'] : [];
      missing.push(...[...fields, ...metadata].map((field) => `${path} ${name} ${field}`));
    }
  }
  expect(documents.length).toBeGreaterThan(20);
  expect(missing).toEqual([]);
});
