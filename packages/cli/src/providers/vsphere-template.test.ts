import { vsphereTemplates } from '@slipway/clusterctl';
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

const kinds: readonly Kind[] = [...clusterApiKinds, ...kubeadmKinds, ...vsphereKinds];

it.each(Object.keys(vsphereTemplates).filter((name) => name.includes('supervisor')))(
  '%s knows only fields that there are',
  (file) => {
    // As they stand: a variable is a text like any other, but for the counts.
    const text = (vsphereTemplates[file] ?? '').replace(/: \$\{[A-Z_]+_COUNT\}/g, ': 1');
    const documents = parseYamlDocuments(text).map(({ value }) => value as unknown as KubeObject);
    expect(documents.length).toBeGreaterThan(5);
    for (const { apiVersion, kind, metadata: _metadata, ...body } of documents) {
      const [group = '', version = ''] = apiVersion.split('/');
      const found = kinds.find((each) => each.group === group && each.kind === kind) as Kind;
      expect(findUnknownFields(schemaOfKind(found, version), { apiVersion, kind, ...body } as MutableJson)).toEqual([]);
    }
  },
);
