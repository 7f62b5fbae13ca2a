export type { ConnectionFacts } from './connection-facts.js';
export { chooseClusterId, clusterIdIn } from './csi-config.js';
export { type ImageOptions, imagesIn } from './images.js';
export {
  type CpiRenderInput,
  csiNamespaceOf,
  type CsiRenderInput,
  renderDriver,
  type Rendered,
  type Template,
} from './render-driver.js';
export { isClusterScoped, parseTemplate } from './template.js';
