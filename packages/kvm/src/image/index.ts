export { buildNodeImage, ImageBuildError, type NodeImageOptions } from './node/build-node-image.js';
export { buildTinyImage, type TinyImage, type TinyImageOptions } from './tiny/build-tiny-image.js';
