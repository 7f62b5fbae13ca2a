import type { KubeObject } from '@slipway/kube';
import { clusterWebhook, openShiftAccount, payloadObjects } from '@slipway/openshift';
import { definitionsByWebhook, mutatingConfiguration, validatingConfiguration } from '@slipway/plane';
import { type AdmissionWebhook, createHttpClient, type WebhookClientConfig } from '@slipway/runtime';
import { printObjects } from '../../output/index.js';
import { createKindSet } from '../../providers/kinds.js';
import { restrictBundle } from '../../providers/restrict-bundle.js';
import { readOpenShiftReleases } from '../../repositories/openshift-releases.js';
import type { OpenShiftPayloadFlags } from './command.js';

const service = `${openShiftAccount.name}-webhook-service`;
/** Annotations that request a serving certificate and its CA bundle from OpenShift's service CA. */
const serviceCa = {
  certificate: { 'service.beta.openshift.io/serving-cert-secret-name': `${service}-cert` },
  caBundle: { 'service.beta.openshift.io/inject-cabundle': 'true' },
};

/** Prints the manifests that an OpenShift release ships with `slipway manager --openshift-releases`. */
export async function openShiftPayload({ openshiftReleases, output, writeTo }: OpenShiftPayloadFlags): Promise<void> {
  const assets = await readOpenShiftReleases(openshiftReleases);
  await printObjects(payloadObjects(assets, ownObjects()), output, writeTo);
}

/** Returns the CRDs of the provider operator, and the webhooks of both operators. */
function ownObjects(): readonly KubeObject[] {
  // The client is never called: CRDs and webhooks are constructed only to read their metadata.
  const client = createHttpClient({ server: 'https://kubernetes.default.svc' });
  try {
    const { kinds } = restrictBundle({ sets: [], kinds: createKindSet }, ['capi-operator']);
    const kindSet = kinds?.({ client, findDefinition: () => undefined });
    if (kindSet === undefined) throw new Error('the provider operator has no CRDs');
    const withCaBundle = (object: KubeObject): KubeObject => annotated(object, serviceCa.caBundle);
    return [
      ...definitionsByWebhook(kindSet, clientConfigOf),
      webhookService(),
      withCaBundle(mutatingConfiguration(kindSet, clientConfigOf)),
      withCaBundle(validatingConfiguration(kindSet, clientConfigOf)),
      withCaBundle(configurationOf(clusterWebhook(client))),
    ];
  } finally {
    client.close();
  }
}

function clientConfigOf(path: string): WebhookClientConfig {
  return { service: { namespace: openShiftAccount.namespace, name: service, path } };
}

function annotated(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } },
  };
}

function webhookService(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace: openShiftAccount.namespace, name: service, annotations: serviceCa.certificate },
    spec: {
      ports: [{ name: 'webhook-server', port: 443, targetPort: 9443 }],
      selector: { 'k8s-app': openShiftAccount.name },
    },
  };
}

function configurationOf({ name, path, rules }: AdmissionWebhook): KubeObject {
  const webhook = {
    name,
    rules: rules.map((rule) => ({ ...rule })),
    clientConfig: { ...clientConfigOf(path) },
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: openShiftAccount.name },
    webhooks: [webhook],
  };
}
