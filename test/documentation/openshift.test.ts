import { runScene } from './run-scene.js';
import { openShift } from '../../scripts/documented-commands/scenes/openshift.js';

runScene(openShift);
