import type { ChartPart } from './chart-parts.js';
import type { ManagerDefaults } from './manager-template.js';

type Schema = Record<string, unknown>;

const text: Schema = { type: 'string' };
const toggle: Schema = { type: 'boolean' };
const map: Schema = { type: 'object' };
const texts: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const list: Schema = { type: 'array', items: { type: 'object' } };
const quantities: Schema = { type: 'object', additionalProperties: { type: ['string', 'number'] } };
const resources: Schema = closed({ requests: quantities, limits: quantities, claims: list });
/** A number of pods or a percentage, as Kubernetes validates it. */
const podCount: Schema = {
  oneOf: [
    { type: 'integer', minimum: 0 },
    { type: 'string', pattern: '^[0-9]+%$' },
  ],
};

function closed(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', additionalProperties: false, properties };
}

/** Returns the JSON schema of the chart's values. It rejects unknown values, so that a misspelled one is not ignored. */
export function valuesSchema(providers: readonly ChartPart[], { featureGates }: ManagerDefaults): Schema {
  const manager = managerValues(featureGates);
  const part: Schema = { $ref: '#/definitions/manager' };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Values of the Helm chart slipway',
    definitions: { image: imageValues(), manager: closed({ enabled: toggle, ...manager }) },
    ...closed({
      ...manager,
      // Set by Helm, also if the chart is a dependency of another chart.
      global: map,
      targetNamespace: { type: 'string', maxLength: 63, pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$' },
      crds: closed({ install: toggle }),
      namespaces: closed({ create: toggle }),
      providers: closed(Object.fromEntries(providers.map(({ id }) => [id, part]))),
      providerOperator: part,
      driversOperator: driversValues(),
      networkPolicy: closed({ enabled: toggle, webhookFrom: list, metricsFrom: list }),
      podDisruptionBudget: closed({ enabled: toggle, maxUnavailable: podCount }),
      serviceMonitor: closed({
        enabled: toggle,
        interval: { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' },
        labels: texts,
      }),
    }),
  };
}

function imageValues(): Schema {
  return closed({
    repository: { type: 'string', minLength: 1 },
    tag: text,
    digest: { type: 'string', pattern: '^(sha256:[0-9a-f]{64})?$' },
    pullPolicy: { enum: ['', 'Always', 'IfNotPresent', 'Never'] },
    pullSecrets: { type: 'array', items: { type: 'string', minLength: 1 } },
  });
}

function managerValues(featureGates: ManagerDefaults['featureGates']): Record<string, Schema> {
  return {
    image: { $ref: '#/definitions/image' },
    replicas: { type: 'integer', minimum: 0 },
    shards: { type: 'integer', minimum: 0, maximum: 1_000 },
    resources,
    nodeSelector: texts,
    tolerations: list,
    affinity: map,
    priorityClassName: text,
    podAnnotations: texts,
    featureGates: closed(
      Object.fromEntries(
        Object.keys(featureGates)
          .sort()
          .map((gate) => [gate, toggle]),
      ),
    ),
    extraArgs: { type: 'array', items: { type: 'string', pattern: '^-' } },
    diagnostics: closed({ address: text, insecure: toggle }),
  };
}

function driversValues(): Schema {
  return closed({
    enabled: toggle,
    image: { $ref: '#/definitions/image' },
    updatePolicy: { enum: ['', 'latest', 'lts', 'disabled'] },
    imageRegistry: text,
    images: texts,
    matrixUrl: text,
    openshift: toggle,
    resources,
    nodeSelector: texts,
    tolerations: list,
    extraArgs: { type: 'array', items: { type: 'string', pattern: '^-' } },
  });
}
