import { expect, it } from 'vitest';
import { withoutSecrets } from './object-feed.js';

it('withoutSecrets removes the data of a Secret, including the annotation of kubectl apply', () => {
  const shown = withoutSecrets({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'a',
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': '{"data":{"k":"aHVudGVyMg=="}}',
        other: 'kept',
      },
    },
    data: { k: 'aHVudGVyMg==' },
    stringData: { k: 'hunter2' },
  } as never);
  expect(JSON.stringify(shown)).not.toMatch(/aHVudGVyMg|hunter2/);
  expect(shown.metadata.annotations).toMatchObject({ other: 'kept' });
  expect(shown).toMatchObject({ data: { k: '(not shown)' } });
});
