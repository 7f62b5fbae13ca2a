import type { KubeObject } from '@slipway/kube';
import type { Resource, Sources } from '@slipway/runtime';
import { shippedManifest } from '../manifests/index.js';
import { type MatrixEntry, parseMatrix, shippedMatrixText } from '../matrix/index.js';
import { driverControllers, type OperatorDependencies } from '../operator/index.js';
import { type ConnectionFacts, type Rendered, renderDriver, type Template } from '../render/index.js';

const somebody: ConnectionFacts = {
  name: 'any',
  server: 'vcenter.example.com',
  port: 443,
  insecure: false,
  caBundle: 'any',
  datacenters: ['any'],
  username: 'user@vsphere.local',
  password: 'any',
};

/** Returns every object that the operator may write: those of all built-in versions and of the given templates. */
export function writtenObjects(
  more: readonly { readonly driver: 'cpi' | 'csi'; readonly templates: readonly Template[] }[] = [],
): KubeObject[] {
  const { entries } = parseMatrix(shippedMatrixText());
  const shipped = (['cpi', 'csi'] as const).flatMap((driver) =>
    entries[driver].map((entry) => ({ driver, entry, templates: entry.deploymentPath.map(templateAt) })),
  );
  const [anyEntry] = entries.csi;
  const given = more.map((each) => ({ ...each, entry: anyEntry as MatrixEntry }));
  return [...shipped, ...given].flatMap(({ driver, entry, templates }) => render(driver, entry, templates).objects);
}

function templateAt(path: string): Template {
  return { source: path, text: shippedManifest(path.replace('bundle://', '')) ?? '' };
}

function render(driver: 'cpi' | 'csi', entry: MatrixEntry, templates: readonly Template[]): Rendered {
  const base = { entry, templates, connections: [somebody], images: {} };
  if (driver === 'cpi') return renderDriver({ ...base, driver, spec: {} });
  const components = { windows: true, validationWebhook: true, snapshotController: true };
  return renderDriver({ ...base, driver, spec: { components }, controlPlanes: 1 });
}

/** Returns the resources that the operator's controllers watch. The controllers are created only to list them. */
export function watchedResources(): Resource[] {
  const never = (): never => {
    throw new Error('reading is not supported: the controllers are created only to list their watches');
  };
  const sources: Sources = { sourceFor: never, start: never, synced: never, syncedFor: never, stop: never };
  const found = driverControllers(sources, {} as OperatorDependencies).flatMap(({ watches }) =>
    watches.map(({ resource }) => resource),
  );
  return [...new Map(found.map((resource) => [`${resource.plural}.${resource.group}`, resource])).values()];
}
