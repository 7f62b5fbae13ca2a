import { namespace, patch, post, put, type Script, type Step } from '../script.js';
import { definition, definitions, established, version } from './definition.js';

const maps = '/api/v1/namespaces/strictness/configmaps';
const deployments = '/apis/apps/v1/namespaces/strictness/deployments';
const gizmos = '/apis/example.com/v1/namespaces/strictness/gizmos';
const yaml = { 'content-type': 'application/yaml' };

/** Bodies with duplicate and unknown fields, at the root and nested, in both orders. */
const mapText = (name: string): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"${name}","more":1,"labels":{"a":"b","a":"c"},"name":"${name}"},"first":1,"data":{"k":"v","k":"w"},"data":{"k":"x"},"second":{"third":1,"third":2},"second":1}`;
const deploymentText = (name: string): string =>
  `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"${name}"},"spec":{"zeta":1,"replicas":0,"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"alpha":1,"containers":[{"name":"c","image":"i","image":"i","other":1}]}}}}`;
const gizmoText = (name: string): string =>
  `{"apiVersion":"example.com/v1","kind":"Gizmo","metadata":{"name":"${name}","more":1,"name":"${name}"},"zeta":1,"spec":{"size":1,"size":2,"unknown":1,"items":[{"name":"x","name":"y","q":1}]},"alpha":1,"alpha":{"b":1,"b":2}}`;
const gizmoYaml = (name: string): string =>
  `apiVersion: example.com/v1\nkind: Gizmo\nmetadata:\n  name: ${name}\nspec:\n  size: 1\n  unknown: 1\n  size: 2\nalpha: 1\n`;

const inAllModes = (title: string, path: string, text: (name: string) => string): readonly Step[] => [
  post(`${title}, strict`, `${path}?fieldValidation=Strict`, text('strict')),
  post(`${title}, warn`, `${path}?fieldValidation=Warn`, text('warned')),
  post(`${title}, ignore`, `${path}?fieldValidation=Ignore`, text('ignored')),
];

export const fieldValidation: Script = {
  name: 'field validation',
  steps: [
    ...namespace('strictness'),
    post(
      'define gizmos',
      definitions,
      definition({ plural: 'gizmos', kind: 'Gizmo' }, [
        version('v1', {
          spec: {
            type: 'object',
            properties: {
              size: { type: 'integer' },
              items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
            },
          },
        }),
      ]),
      { only: 'metadata.name' },
    ),
    established('gizmos'),
    { name: 'gizmos are served', until: gizmos, status: 200 },
    ...inAllModes('a ConfigMap', maps, mapText),
    ...inAllModes('a Deployment', deployments, deploymentText),
    ...inAllModes('a custom object', gizmos, gizmoText),
    post('a custom object in YAML, strict', `${gizmos}?fieldValidation=Strict`, gizmoYaml('yaml'), { headers: yaml }),
    put('an update of a ConfigMap, strict', `${maps}/warned?fieldValidation=Strict`, mapText('warned')),
    put('an update of a custom object, strict', `${gizmos}/warned?fieldValidation=Strict`, gizmoText('warned')),
    patch(
      'merge',
      'a merge patch of a ConfigMap, strict',
      `${maps}/warned?fieldValidation=Strict`,
      '{"data":{"q":"1","q":"2"},"third":1,"data":{"r":"1"}}',
    ),
    patch(
      'strategic',
      'a strategic merge patch of a Deployment, strict',
      `${deployments}/warned?fieldValidation=Strict`,
      '{"spec":{"replicas":0,"replicas":0,"zeta":1}}',
    ),
    patch(
      'merge',
      'a merge patch of a custom object, strict',
      `${gizmos}/warned?fieldValidation=Strict`,
      '{"spec":{"size":3,"size":4,"unknown":1},"alpha":1}',
    ),
    patch(
      'merge',
      'a merge patch of a custom object, warn',
      `${gizmos}/warned`,
      '{"spec":{"size":3,"size":4,"unknown":1},"alpha":1}',
    ),
    patch('json', 'a JSON patch of a custom object, strict', `${gizmos}/warned?fieldValidation=Strict`, [
      { op: 'add', path: '/spec/unknown', value: 1 },
    ]),
  ],
};
