export { buildTinyImage, type TinyImage, type TinyImageOptions } from './tiny/build-tiny-image.js';
