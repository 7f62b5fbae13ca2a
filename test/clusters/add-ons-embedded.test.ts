import { addOns } from './add-ons.js';
import { startEmbedded } from './management.js';

addOns('add-ons and addresses on the embedded server', () => startEmbedded());
