import {
  type BuiltinProvider,
  inventoryObject,
  type InstalledProvider,
  labelOf,
  namespaceOf,
  placeObjects,
} from '@slipway/clusterctl';
import { operatorManifest } from '@slipway/drivers';
import { type KubeObject, parseManifest } from '@slipway/kube';
import { availableProviders } from '../../../packages/cli/src/providers/builtin-providers.js';
import { componentsText } from '../../../packages/cli/src/providers/components-text.js';
import { providerList, providerOperator } from '../../../packages/cli/src/providers/provider-list.js';
import { slipwayVersion } from '../../../packages/cli/src/version.js';

/** Placeholder for the namespace of a provider in its objects. The template replaces it. */
export const namespaceMark = 'slipway-chart-namespace';
/** Placeholder for the image. The template replaces it. */
export const imageMark = 'slipway-chart-image';

/** A program that the chart installs: the manager of a provider, or an operator. */
export interface ChartPart {
  /** Name of its template files. */
  readonly id: string;
  /** Its values: `providers.<label>`, `providerOperator` or `driversOperator`. */
  readonly values: readonly string[];
  readonly enabled: boolean;
  /** Namespace unless `targetNamespace` replaces it. Undefined if the objects have fixed namespaces. */
  readonly namespace?: string;
  /** Objects in apply order, without Namespaces. */
  readonly objects: readonly KubeObject[];
  readonly namespaces: readonly KubeObject[];
}

const firstProviders: readonly string[] = ['cluster-api', 'bootstrap-kubeadm', 'control-plane-kubeadm'];

/** Returns the managers of all built-in providers with the objects that `slipway init` applies, in its order. */
export async function providerParts(): Promise<ChartPart[]> {
  return Promise.all(
    providerList.map(async (listed) => {
      const label = labelOf(listed);
      const { version } = availableProviders().find((each) => labelOf(each) === label) as BuiltinProvider;
      const provider: InstalledProvider = { name: listed.name, type: listed.type, version, namespace: namespaceMark };
      const objects = placeObjects(parseManifest(await componentsText(label)), provider);
      return partOf(
        {
          id: label,
          values: ['providers', label],
          enabled: firstProviders.includes(label),
          namespace: namespaceOf(listed),
        },
        [...objects, inventoryObject(provider) as unknown as KubeObject],
      );
    }),
  );
}

/** Returns the provider operator. It is not in clusterctl's inventory, and its namespace is fixed. */
export async function providerOperatorPart(): Promise<ChartPart> {
  const objects = parseManifest(await componentsText(labelOf(providerOperator)));
  // The chart installs the CRD of the inventory from its `crds` folder.
  const own = objects.filter(({ metadata }) => metadata.name !== 'providers.clusterctl.cluster.x-k8s.io');
  return partOf({ id: 'provider-operator', values: ['providerOperator'], enabled: false }, own);
}

export interface DriversPart extends ChartPart {
  /** Objects only for OpenShift. */
  readonly openShiftObjects: readonly KubeObject[];
}

/** Returns the drivers operator with the objects that `slipway drivers deploy` applies. */
export function driversOperatorPart(): DriversPart {
  const installation = { image: imageMark, version: slipwayVersion };
  const objects = operatorManifest(installation);
  const names = new Set(objects.map(nameOf));
  const openShiftObjects = operatorManifest({ ...installation, isOpenShift: true }).filter(
    (object) => !names.has(nameOf(object)),
  );
  return {
    ...partOf({ id: 'drivers-operator', values: ['driversOperator'], enabled: false }, objects),
    openShiftObjects,
  };
}

function nameOf({ kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
}

function partOf(part: Omit<ChartPart, 'objects' | 'namespaces'>, objects: readonly KubeObject[]): ChartPart {
  const isNamespace = ({ kind }: KubeObject): boolean => kind === 'Namespace';
  return {
    ...part,
    objects: objects.filter((object) => !isNamespace(object)),
    namespaces: objects.filter(isNamespace),
  };
}
