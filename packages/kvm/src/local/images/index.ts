export { imageCacheBytes } from './image-cache-bytes.js';
export { readImage } from './image-info.js';
export { ImageStore, type NamedImage, type StoredFile, type WantedFile } from './image-store.js';
export { pruneImages } from './prune-images.js';
