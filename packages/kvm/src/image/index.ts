export { buildNodeImage, ImageBuildError } from './node/build-node-image.js';
export { buildTinyImage, type TinyImage } from './tiny/build-tiny-image.js';
