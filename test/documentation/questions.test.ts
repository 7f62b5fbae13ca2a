import { runScene } from './run-scene.js';
import { questions } from '../../scripts/documented-commands/scenes/questions.js';

runScene(questions);
