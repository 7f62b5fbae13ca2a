import { runScene } from './run-scene.js';
import { kvm } from '../../scripts/documented-commands/scenes/kvm.js';

runScene(kvm);
