export { buildNodeImage, ImageBuildError } from './node/build-node-image.js';
export { buildTinyImage, storeTinyImage, type TinyImage } from './tiny/build-tiny-image.js';
