import { runScenario } from './run-scenario.js';
import { providers } from '../../scripts/documented-commands/scenarios/providers.js';

runScenario(providers);
