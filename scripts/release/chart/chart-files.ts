import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inventoryDefinition } from '@slipway/clusterctl';
import { type KubeObject, stringifyYaml } from '@slipway/kube';
import type { ServiceSpec } from '@slipway/kube/builtin';
import { slipwayVersion } from '../../../packages/cli/src/version.js';
import {
  type ChartPart,
  driversOperatorPart,
  type DriversPart,
  providerOperatorPart,
  providerParts,
} from './chart-parts.js';
import { driversDefaults, driversTemplate } from './drivers-template.js';
import { type ManagerDefaults, managerDefaults, managerTemplate } from './manager-template.js';
import { DefinitionTemplates } from './definition-templates.js';
import { templateText } from './template-text.js';
import { valuesSchema } from './values-schema.js';

const staticFiles = fileURLToPath(new URL('./files', import.meta.url));

/**
 * Returns the files of the Helm chart by path. Its templates are written from the objects that `slipway init` and `slipway drivers
 * deploy` apply; `files/` holds what has no counterpart there.
 */
export async function chartFiles(): Promise<ReadonlyMap<string, string>> {
  const providers = await providerParts();
  const providerOperator = await providerOperatorPart();
  const drivers = driversOperatorPart();
  const managers = [...providers, providerOperator];
  const defaults = mergeDefaults(managers.map(managerDefaults));
  const files = new Map<string, string>();
  for (const path of filesIn(staticFiles))
    files.set(
      relative(staticFiles, path).replace(/\.in$/, ''),
      filled(readFileSync(path, 'utf8'), providers, drivers, defaults),
    );
  files.set('values.schema.json', `${JSON.stringify(valuesSchema(providers, defaults), undefined, 2)}\n`);
  files.set('crds/providers.yaml', stringifyYaml(inventoryDefinition()));
  files.set('templates/namespaces.yaml', namespacesTemplate([...managers, drivers]));
  const definitions = new DefinitionTemplates([...managers, drivers].flatMap(definitionsOf));
  for (const part of [...managers, drivers])
    files.set(`templates/${part.id}-crds.yaml`, definitionsTemplate(part, definitions));
  files.set('templates/_schemas.tpl', definitions.helpers());
  for (const part of managers) files.set(`templates/${part.id}.yaml`, partTemplate(part, managerObject, extras(part)));
  files.set(`templates/${drivers.id}.yaml`, partTemplate(drivers, driversTemplate, openShiftTemplate(drivers)));
  return new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

function filesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesIn(path) : [path];
  });
}

function mergeDefaults(all: readonly ManagerDefaults[]): ManagerDefaults {
  const [first] = all as [ManagerDefaults];
  for (const { image, tolerations } of all)
    if (image !== first.image || JSON.stringify(tolerations) !== JSON.stringify(first.tolerations))
      throw new Error('all managers must have the same image and tolerations');
  return { ...first, featureGates: Object.assign({}, ...all.map(({ featureGates }) => featureGates)) };
}

/** Replaces the marks of a static file, such as `@version@`. */
function filled(
  text: string,
  providers: readonly ChartPart[],
  drivers: DriversPart,
  defaults: ManagerDefaults,
): string {
  const split = defaults.image.lastIndexOf(':');
  const driverValues = driversDefaults(drivers.objects);
  const marks: Readonly<Record<string, string>> = {
    version: slipwayVersion,
    repository: defaults.image.slice(0, split),
    tag: defaults.image.slice(split + 1),
    tolerations: yamlList(defaults.tolerations, ''),
    providers: providers.map(({ id, enabled }) => `  ${id}:\n    enabled: ${enabled}`).join('\n'),
    driversResources: yamlList(driverValues.resources, '    '),
    driversTolerations: yamlList(driverValues.tolerations, '  '),
    ...driversMarks(drivers),
    featureGates: Object.entries(defaults.featureGates)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([gate, value]) => `| \`${gate}\` | \`${value}\` |`)
      .join('\n'),
  };
  return text.replaceAll(/@(\w+)@/g, (mark, name: string) => marks[name] ?? mark);
}

/** Returns the name, namespace and labels of the drivers operator's metrics Service, which its ServiceMonitor selects. */
function driversMarks({ objects }: DriversPart): Readonly<Record<string, string>> {
  const { metadata } = objects.find(({ kind }) => kind === 'Service') as KubeObject;
  const { metadata: deployment } = objects.find(({ kind }) => kind === 'Deployment') as KubeObject;
  return {
    driversName: deployment.name ?? '',
    driversNamespace: deployment.namespace ?? '',
    driversLabels: dictArguments(metadata.labels),
  };
}

/** Returns labels as arguments of the template function `dict`. */
function dictArguments(labels: Readonly<Record<string, string>> = {}): string {
  return Object.entries(labels)
    .flat()
    .map((text) => JSON.stringify(text))
    .join(' ');
}

function yamlList(value: object, indent: string): string {
  return stringifyYaml(value).trimEnd().replaceAll(/^/gm, indent);
}

type ObjectTemplate = (object: KubeObject) => string;

function managerObject(object: KubeObject): string {
  return object.kind === 'Deployment' ? managerTemplate(object) : templateText(object);
}

function isDefinition({ kind }: KubeObject): boolean {
  return kind === 'CustomResourceDefinition';
}

/** Whether the object is the Service of a manager that serves clusters on ports of its own. */
function isHeadlessService(object: KubeObject): boolean {
  return object.kind === 'Service' && (object['spec'] as ServiceSpec).clusterIP === 'None';
}

function definitionsOf({ objects }: ChartPart): KubeObject[] {
  return objects.filter(isDefinition).map(kept);
}

function definitionsTemplate(part: ChartPart, definitions: DefinitionTemplates): string {
  const texts = definitionsOf(part).map((definition) => `---\n${definitions.text(definition)}`);
  return wrapped(`and (${enabled(part)}) $.Values.crds.install`, headOf(part) + texts.join(''));
}

function partTemplate(part: ChartPart, toText: ObjectTemplate, more: string): string {
  const others = part.objects.filter((object) => !isDefinition(object));
  return wrapped(enabled(part), headOf(part) + others.map((object) => `---\n${toText(object)}`).join('') + more);
}

function wrapped(condition: string, text: string): string {
  return `{{- if ${condition} }}\n${text}{{- end }}\n`;
}

function valuesOf({ values: [first = '', second] }: ChartPart): string {
  return second === undefined ? `$.Values.${first}` : `(index $.Values.${first} "${second}")`;
}

function enabled(part: ChartPart): string {
  return `${valuesOf(part)}.enabled`;
}

function headOf(part: ChartPart): string {
  const define = part.id === 'drivers-operator' ? 'slipway.driversPart' : 'slipway.part';
  const namespace =
    part.namespace === undefined ? '' : `{{- $namespace := $.Values.targetNamespace | default "${part.namespace}" }}\n`;
  return `{{- $part := include "${define}" (list $ ${valuesOf(part)}) | fromYaml }}\n${namespace}`;
}

/** Helm keeps CRDs and Namespaces when the release is uninstalled: deleting them would delete the objects of users. */
function kept(object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, 'helm.sh/resource-policy': 'keep' };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/** Returns the objects that only the chart has: PodDisruptionBudget, NetworkPolicy, metrics Service and ServiceMonitor. */
function extras(part: ChartPart): string {
  const { metadata, ...deployment } = part.objects.find(({ kind }) => kind === 'Deployment') as KubeObject;
  const { selector } = deployment['spec'] as { readonly selector: { readonly matchLabels: Record<string, string> } };
  const prefix = (metadata.name ?? '').replace(/-controller-manager$/, '');
  const namespace = part.namespace === undefined ? JSON.stringify(metadata.namespace) : '$namespace';
  const labels = dictArguments(selector.matchLabels);
  const servesClusters = part.objects.some(isHeadlessService);
  return `{{- include "slipway.extras" (dict "root" $ "part" $part "prefix" "${prefix}" "namespace" ${namespace} "servesClusters" ${servesClusters} "labels" (dict ${labels})) }}\n`;
}

function openShiftTemplate({ openShiftObjects }: DriversPart): string {
  const objects = openShiftObjects.map((object) => `---\n${templateText(object)}`).join('');
  return `{{- if $part.openshift }}\n${objects}{{- end }}\n{{- include "slipway.driversExtras" (dict "root" $ "part" $part) }}\n`;
}

/** Returns the template of all Namespaces. It is one file, because providers may share a namespace. */
function namespacesTemplate(parts: readonly ChartPart[]): string {
  const lines = parts.flatMap((part) =>
    part.namespaces.map(({ metadata }) => {
      const own = JSON.stringify(metadata.name);
      const name = part.namespace === undefined ? own : `($.Values.targetNamespace | default "${part.namespace}")`;
      const labels = dictArguments(metadata.labels);
      return `{{- if ${enabled(part)} }}{{- $_ := set $namespaces ${name} (dict ${labels}) }}{{- end }}\n`;
    }),
  );
  return `{{- if .Values.namespaces.create }}
{{- $namespaces := dict }}
${lines.join('')}{{- range $name, $labels := $namespaces }}
{{- if ne $name $.Release.Namespace }}
---
apiVersion: v1
kind: Namespace
metadata:
  name: {{ $name }}
  labels:
    {{- toYaml $labels | nindent 4 }}
  annotations:
    helm.sh/resource-policy: keep
{{- end }}
{{- end }}
{{- end }}
`;
}
