import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { withServiceCa } from './service-ca.js';

const components = `apiVersion: v1
kind: Namespace
metadata:
  name: capa-system
---
apiVersion: v1
kind: Secret
metadata:
  name: capa-manager-bootstrap-credentials
---
apiVersion: v1
kind: Service
metadata:
  name: capa-webhook-service
  namespace: capa-system
---
apiVersion: cert-manager.io/v1
kind: Issuer
metadata:
  name: capa-selfsigned-issuer
---
apiVersion: cert-manager.io/v1
kind: Certificate
metadata:
  name: capa-serving-cert
spec:
  dnsNames:
    - capa-webhook-service.capa-system.svc
    - capa-webhook-service.capa-system.svc.cluster.local
  secretName: capa-webhook-service-cert
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: awsclusters.infrastructure.cluster.x-k8s.io
  annotations:
    cert-manager.io/inject-ca-from: capa-system/capa-serving-cert
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata:
  name: capa-validating
  annotations:
    cert-manager.io/inject-ca-from: capa-system/capa-serving-cert
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: capa-controller-manager
spec:
  replicas: "\${REPLICAS:=1}"
`;

describe('components without cert-manager', () => {
  it('operators 33: get certificates and authorities from the service CA, and keep what is written otherwise', () => {
    const rewired = withServiceCa(components);
    const objects = parseAllDocuments(rewired).map((document) => document.toJS() as Record<string, unknown>);
    expect(objects.map(({ kind }) => kind)).toEqual([
      'Service',
      'CustomResourceDefinition',
      'ValidatingWebhookConfiguration',
      'Deployment',
    ]);
    expect(objects[0]).toMatchObject({
      metadata: {
        annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'capa-webhook-service-cert' },
      },
    });
    for (const object of objects.slice(1, 3))
      expect(object).toMatchObject({
        metadata: { annotations: { 'service.beta.openshift.io/inject-cabundle': 'true' } },
      });
    expect(rewired).not.toContain('cert-manager');
    expect(rewired).toContain('replicas: "${REPLICAS:=1}"');
  });

  it('are left as they are when there is nothing of it in them', () => {
    const plain = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: a\n';
    expect(withServiceCa(plain)).toBe(plain);
  });
});
