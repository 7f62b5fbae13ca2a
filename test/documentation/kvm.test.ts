import { runScenario } from './run-scenario.js';
import { kvm } from '../../scripts/documented-commands/scenarios/kvm.js';

runScenario(kvm);
