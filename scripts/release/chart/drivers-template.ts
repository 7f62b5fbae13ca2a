import type { KubeObject } from '@slipway/kube';
import type { Container, PodSpec } from '@slipway/kube/builtin';
import { block, type Blocks, optionalArgument, optionalField, optionalText, templateText } from './template-text.js';

const pullSecrets = 'include "slipway.pullSecrets" $part | fromYamlArray';

/** Returns an object of the drivers operator as template text. */
export function driversTemplate(object: KubeObject): string {
  if (object.kind === 'ServiceAccount')
    return templateText(
      { ...object, [block('pullSecrets')]: '' },
      { pullSecrets: optionalField('imagePullSecrets', pullSecrets) },
    );
  if (object.kind === 'ConfigMap') return matrixTemplate(object);
  if (object.kind === 'Deployment') return deploymentTemplate(object);
  return templateText(object);
}

/** Returns the ConfigMap that names the compatibility matrix. */
function matrixTemplate(matrix: KubeObject): string {
  const { data: _, ...object } = matrix;
  return templateText(
    { ...object, [block('data')]: '' },
    {
      data: [
        '{{- if $part.matrixUrl }}',
        'data:',
        '  configured-by: user',
        '  versionConfigURL: {{ $part.matrixUrl | quote }}',
        '{{- else }}',
        'data: {}',
        '{{- end }}',
      ],
    },
  );
}

function deploymentTemplate(deployment: KubeObject): string {
  const spec = deployment['spec'] as { readonly template: { readonly spec: PodSpec } };
  const { tolerations: _, ...pod } = spec.template.spec;
  const [{ resources: _resources, args = [], ...container }] = pod.containers as [Container];
  const templated = {
    ...deployment,
    spec: {
      ...spec,
      template: {
        ...spec.template,
        spec: {
          ...pod,
          containers: [
            { ...container, args: [...args, block('args')], [block('pullPolicy')]: '', [block('resources')]: '' },
          ],
          [block('placement')]: '',
        },
      },
    },
  };
  return templateText(templated, blocks);
}

const blocks: Blocks = {
  args: [
    ...optionalArgument('--update-policy=%s', '$part.updatePolicy'),
    ...optionalArgument('--image-registry=%s', '$part.imageRegistry'),

    '{{- range $role, $image := $part.images }}',
    '- {{ printf "--image=%s=%s" $role $image | quote }}',
    '{{- end }}',
    '{{- range $part.image.pullSecrets }}',
    '- {{ printf "--image-pull-secret=%s" . | quote }}',
    '{{- end }}',
    '{{- range $part.extraArgs }}',
    '- {{ . | quote }}',
    '{{- end }}',
  ],
  pullPolicy: optionalText('imagePullPolicy', '$part.image.pullPolicy'),
  resources: optionalField('resources', '$part.resources'),
  placement: [
    ...optionalField('nodeSelector', '$part.nodeSelector'),
    ...optionalField('tolerations', '$part.tolerations'),
  ],
};

/** Returns the values of the operator that `slipway drivers deploy` uses. */
export function driversDefaults(objects: readonly KubeObject[]): { resources: object; tolerations: readonly object[] } {
  const deployment = objects.find(({ kind }) => kind === 'Deployment') as KubeObject;
  const { tolerations = [], containers } = (deployment['spec'] as { template: { spec: PodSpec } }).template.spec;
  return { resources: containers[0]?.resources ?? {}, tolerations };
}
