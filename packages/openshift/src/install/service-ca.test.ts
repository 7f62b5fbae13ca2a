import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { splitComponents } from './service-ca.js';

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
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: capa-manager-role
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: capa-leader-elect-rolebinding
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

const objectsOf = (text: string): Record<string, unknown>[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Record<string, unknown>);

describe('components without cert-manager', () => {
  it('get certificates and CA bundles from the service CA and keep other text [operators 33]', () => {
    const { carried, shipped } = splitComponents(components);
    const [service, webhooks, deployment] = objectsOf(carried);
    expect([service, webhooks, deployment].map((object) => object?.['kind'])).toEqual([
      'Service',
      'ValidatingWebhookConfiguration',
      'Deployment',
    ]);
    expect(service).toMatchObject({
      metadata: {
        annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'capa-webhook-service-cert' },
      },
    });
    for (const object of [webhooks, objectsOf(shipped)[0]])
      expect(object).toMatchObject({
        metadata: { annotations: { 'service.beta.openshift.io/inject-cabundle': 'true' } },
      });
    expect(carried + shipped).not.toContain('cert-manager');
    expect(carried).toContain('replicas: "${REPLICAS:=1}"');
  });

  it('are unchanged without cert-manager objects', () => {
    const plain = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n    name: a\n';
    expect(splitComponents(plain)).toEqual({ carried: plain, shipped: '' });
  });

  it('leave CRDs and roles to the release [R34]', () => {
    expect(objectsOf(splitComponents(components).shipped).map(({ kind }) => kind)).toEqual([
      'CustomResourceDefinition',
      'ClusterRole',
      'RoleBinding',
    ]);
  });
});
