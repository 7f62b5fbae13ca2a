import { type BuiltinProvider, builtinProvider, devTemplates, providerVersion } from '@slipway/clusterctl';
import { slipwayVersion } from './version.js';

const version = providerVersion(slipwayVersion);

/** The providers that this program brings along. */
export const builtinProviders: readonly BuiltinProvider[] = [
  builtinProvider({
    name: 'dev',
    type: 'InfrastructureProvider',
    version,
    components: () => '',
    templates: devTemplates,
  }),
];
