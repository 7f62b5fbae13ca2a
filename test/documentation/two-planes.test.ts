import { runScene } from './run-scene.js';
import { twoPlanes } from '../../scripts/documented-commands/scenes/two-planes.js';

runScene(twoPlanes);
