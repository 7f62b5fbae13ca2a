import { runScene } from './run-scene.js';
import { tools } from '../../scripts/documented-commands/scenes/tools.js';

runScene(tools);
