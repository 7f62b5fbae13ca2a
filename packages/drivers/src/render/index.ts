export { type ConnectionFacts, hasDomain } from './connection-facts.js';
export { cpiSecretName } from './cpi-config.js';
export { chooseClusterId, clusterIdIn } from './csi-config.js';
export { type ImageOptions, imagesIn } from './images.js';
export {
  type CpiRenderInput,
  csiNamespaceOf,
  type CsiRenderInput,
  hashOf,
  type Rendered,
  renderDriver,
  type Template,
} from './render-driver.js';
export { inOrder, isClusterScoped, parseTemplate } from './template.js';
