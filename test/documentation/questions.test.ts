import { runScenario } from './run-scenario.js';
import { questions } from '../../scripts/documented-commands/scenarios/questions.js';

runScenario(questions);
