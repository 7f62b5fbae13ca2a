import type { KubeObject } from '@slipway/kube';
import type { Container, PodSpec } from '@slipway/kube/builtin';
import { type ChartPart, imageMark } from './chart-parts.js';
import { block, optionalField, optionalText, templateText } from './template-text.js';

interface Workload {
  readonly template: { readonly metadata: object; readonly spec: PodSpec };
}

/** Defaults of the chart's values, as `slipway init` renders them. */
export interface ManagerDefaults {
  readonly image: string;
  readonly tolerations: readonly object[];
  /** Default of each feature gate. */
  readonly featureGates: Readonly<Record<string, string>>;
}

const variable = /\$\{(\w+):=([^}]*)\}/g;

/** Returns the Deployment of a manager as template text. */
export function managerTemplate(deployment: KubeObject): string {
  const { container, spec } = partsOf(deployment);
  const { tolerations: _, containers: _containers, ...pod } = spec.template.spec;
  const { args, ...rest } = container;
  const templated = {
    ...deployment,
    spec: {
      ...spec,
      [block('replicas')]: '',
      template: {
        ...spec.template,
        metadata: { ...spec.template.metadata, [block('podAnnotations')]: '' },
        spec: {
          ...pod,
          containers: [
            { ...rest, image: imageMark, args: [block('args')], [block('pullPolicy')]: '', [block('resources')]: '' },
          ],
          [block('placement')]: '',
        },
      },
    },
  };
  const { replicas: _replicas, ...withoutReplicas } = templated.spec as Record<string, unknown>;
  return templateText(
    { ...templated, spec: withoutReplicas },
    {
      replicas: ['replicas: {{ $part.replicas | int }}'],
      podAnnotations: optionalField('annotations', '$part.podAnnotations'),
      args: argumentLines(args ?? []),
      pullPolicy: optionalText('imagePullPolicy', '$part.image.pullPolicy'),
      resources: optionalField('resources', '$part.resources'),
      placement: [
        ...optionalField('imagePullSecrets', 'include "slipway.pullSecrets" $part | fromYamlArray'),
        ...optionalField('nodeSelector', '$part.nodeSelector'),
        ...optionalField('affinity', '$part.affinity'),
        ...optionalField('tolerations', '$part.tolerations'),
        ...optionalText('priorityClassName', '$part.priorityClassName'),
      ],
    },
  );
}

/** Returns what the Deployment of a manager contributes to the chart's default values. */
export function managerDefaults({ objects }: ChartPart): ManagerDefaults {
  const { container, spec } = partsOf(objects.find(({ kind }) => kind === 'Deployment') as KubeObject);
  const gates = container.args?.find((arg) => arg.startsWith('--feature-gates=')) ?? '';
  return {
    image: container.image ?? '',
    tolerations: spec.template.spec.tolerations ?? [],
    featureGates: Object.fromEntries(
      [...gates.matchAll(/(\w+)=\$\{\w+:=([^}]*)\}/g)].map(([, gate = '', value = '']) => [gate, value]),
    ),
  };
}

function partsOf(deployment: KubeObject): { readonly container: Container; readonly spec: Workload } {
  const spec = deployment['spec'] as Workload;
  const [container, ...others] = spec.template.spec.containers;
  if (container === undefined || others.length > 0) throw new Error('a manager has exactly one container');
  return { container, spec };
}

/** Values by the variables of the components that they replace. Feature gates are found by their own name. */
const values: Readonly<Record<string, string>> = {
  CAPI_DIAGNOSTICS_ADDRESS: '$part.diagnostics.address',
  CAPI_INSECURE_DIAGNOSTICS: '$part.diagnostics.insecure',
};

function argumentLines(args: readonly string[]): string[] {
  return [
    ...args.flatMap((arg) => {
      if (arg === '--leader-elect') {
        const shards = '- {{ printf "--shards=%d" ($part.shards | int) | quote }}';
        return ['{{- if $part.shards }}', shards, '{{- else }}', `- ${arg}`, '{{- end }}'];
      }
      return [argumentLine(arg)];
    }),
    '{{- range $part.extraArgs }}',
    '- {{ . | quote }}',
    '{{- end }}',
  ];
}

function argumentLine(arg: string): string {
  if (!arg.includes('${')) return `- ${JSON.stringify(arg)}`;
  const expressions: string[] = [];
  const format = arg.replaceAll('%', '%%').replaceAll(/(\w+)=(\$\{\w+:=[^}]*\})/g, (_, gate: string, text: string) =>
    text.replace(variable, (_whole, name: string, value: string) => {
      expressions.push(values[name] ?? `(include "slipway.featureGate" (list $part "${gate}" "${value}"))`);
      return `${gate}=%v`;
    }),
  );
  if (format.includes('${')) throw new Error(`the chart has no value for a variable of ${arg}`);
  return `- {{ printf ${JSON.stringify(format)} ${expressions.join(' ')} | quote }}`;
}
