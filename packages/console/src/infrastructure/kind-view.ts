import { compileJsonPath, type CustomResourceDefinition, type Frozen, type JsonPath } from '@slipway/kube';
import { type Observed, refOf, reportedProblem } from '@slipway/insight';
import type { Resource } from '@slipway/runtime';
import { mainCondition, toneOf } from '../cluster/tones.js';
import type { KindView, SectionName } from '../model/infrastructure.js';

type Definition = Frozen<CustomResourceDefinition>;

export interface ShownKind {
  readonly definition: string;
  readonly section: SectionName;
  readonly resource: Resource;
  readonly columns: readonly { readonly name: string; readonly path: JsonPath }[];
}

const rowsMax = 200;

/**
 * Returns how the page shows the objects of a CRD, or undefined if it does not show them. The columns are the printer columns.
 */
export function shownKind(definition: Definition): ShownKind | undefined {
  const { group, names, scope, versions } = definition.spec;
  const section = sectionOf(group, names.kind);
  const version = versions.find(({ storage }) => storage);
  if (section === undefined || version === undefined) return undefined;
  const columns = (version.additionalPrinterColumns ?? [])
    // Omit age columns. Pages compute ages, because ages change without a change of the object.
    .filter(({ priority = 0, type }) => priority === 0 && type !== 'date')
    .flatMap(({ name, jsonPath }) => {
      const path = compiled(jsonPath);
      return path === undefined ? [] : [{ name, path }];
    });
  const resource = {
    group,
    version: version.name,
    kind: names.kind,
    plural: names.plural,
    namespaced: scope === 'Namespaced',
  };
  return { definition: definition.metadata.name ?? '', section, resource, columns };
}

function sectionOf(group: string, kind: string): SectionName | undefined {
  if (kind.endsWith('Template') || kind.endsWith('List')) return undefined;
  if (group === 'clusterctl.cluster.x-k8s.io' || group === 'operator.cluster.x-k8s.io') return 'providers';
  if (group === 'vdo.vmware.com') return 'drivers';
  if (group !== 'infrastructure.cluster.x-k8s.io' && !group.startsWith('vmware.infrastructure.')) return undefined;
  if (/(Machine|MachinePool|VM)$/.test(kind)) return 'machines';
  return kind.endsWith('Cluster') ? 'clusters' : 'other';
}

function compiled(text: string): JsonPath | undefined {
  try {
    return compileJsonPath(text);
  } catch {
    // Omit an invalid column. kubectl would show empty cells.
    return undefined;
  }
}

export function kindView({ resource, columns }: ShownKind, objects: readonly Observed[]): KindView {
  const sorted = objects.toSorted((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1)).slice(0, rowsMax);
  const rows = sorted.map((object): [string, KindView['rows'][string]] => [
    keyOf(object),
    {
      ref: refOf(object),
      tone: toneOf(object),
      why: problemOf(object),
      cells: columns.map(({ path }) => cellText(path.first(object))),
    },
  ]);
  const { kind, group } = resource;
  return {
    kind,
    group,
    columns: columns.map(({ name }) => name),
    rows: Object.fromEntries(rows),
    count: objects.length,
  };
}

/** Returns the condition message of an unhealthy object. */
export function problemOf(object: Observed): string {
  if (toneOf(object) !== 'bad') return '';
  const { reason = '', message = '' } = reportedProblem(object)?.condition ?? mainCondition(object) ?? {};
  return [reason, message].filter((text) => text !== '').join(': ');
}

function keyOf({ metadata }: Observed): string {
  return `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function cellText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
