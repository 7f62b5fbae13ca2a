import { clusterApiKinds } from '@slipway/cluster-api';
import {
  findUnknownFields,
  type Kind,
  type KubeObject,
  type MutableJson,
  parseYamlDocuments,
  schemaOfKind,
} from '@slipway/kube';
import { kubeadmKinds } from '@slipway/kubeadm';
import { vsphereKinds } from '@slipway/vsphere';
import { expect, it } from 'vitest';
import { vsphereFlavors } from './vsphere-flavors.js';

const kinds: readonly Kind[] = [...clusterApiKinds, ...kubeadmKinds, ...vsphereKinds];

it.each(Object.entries(vsphereFlavors))('%s knows only fields that there are', async (_file, render) => {
  // As they stand: a variable is a text like any other, but for numbers.
  const text = (await render()).replace(/: \$\{[A-Z_]+_(COUNT|PORT:=6443)\}/g, ': 1');
  const documents = parseYamlDocuments(text).map(({ value }) => value as unknown as KubeObject);
  for (const { apiVersion, kind, metadata: _metadata, ...body } of documents) {
    const [group = '', version = ''] = apiVersion.split('/');
    const found = kinds.find((each) => each.group === group && each.kind === kind);
    if (found === undefined) expect(['Secret', 'ConfigMap']).toContain(kind);
    else
      expect(findUnknownFields(schemaOfKind(found, version), { apiVersion, kind, ...body } as MutableJson)).toEqual([]);
  }
});
