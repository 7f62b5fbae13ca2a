/** The controllers that can be switched off, by the names that they have in kube-controller-manager. */
export const controllerNames = [
  'bootstrap-signer-controller',
  'certificatesigningrequest-signing-controller',
  'clusterrole-aggregation-controller',
  'disruption-controller',
  'endpointslice-controller',
  'endpointslice-mirroring-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
  'token-cleaner-controller',
] as const;

export type ControllerName = (typeof controllerNames)[number];

/**
 * Parses a list of controllers as kube-controller-manager does: `*` is all, `name` adds one, `-name` removes one. `none` is an empty
 * list. Throws a TypeError that names an unknown controller.
 */
export function parseControllers(text: string): ReadonlySet<ControllerName> {
  if (text === 'none') return new Set();
  const items = text.split(',').map((item) => item.trim());
  const names = new Set<ControllerName>(items.includes('*') ? controllerNames : []);
  for (const item of items) {
    if (item === '*') continue;
    const name = item.replace(/^-/, '');
    if (!isControllerName(name))
      throw new TypeError(`unknown controller "${name}". The controllers are: ${controllerNames.join(', ')}`);
    if (item.startsWith('-')) names.delete(name);
    else names.add(name);
  }
  return names;
}

function isControllerName(name: string): name is ControllerName {
  return (controllerNames as readonly string[]).includes(name);
}
